import type { ReactNode } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { useClub } from './use-club.ts';

interface ClubPartProps {
  title?: string;
  children: (view: ClubSettingsView) => ReactNode;
}

/** A card about some of the club's settings, with its loading and error states; `children` renders the loaded settings. */
export function ClubPart({ title, children }: ClubPartProps) {
  return (
    <Loaded query={useClub()} failed="We couldn’t load the club’s settings" card={title ?? true} lines={5}>
      {children}
    </Loaded>
  );
}
