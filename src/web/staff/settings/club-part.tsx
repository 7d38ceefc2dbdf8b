import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import type { ClubField } from '../../../domain/club/club-settings.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toast.ts';

interface ClubPartProps {
  title?: string;
  children: (view: ClubSettingsView) => ReactNode;
}

export function ClubPart({ title, children }: ClubPartProps) {
  const query = useQuery(orpc.club.getSettings.queryOptions());
  return (
    <Loaded query={query} failed="We couldn’t load the club’s settings" card={title ?? true} lines={5}>
      {children}
    </Loaded>
  );
}

export type ClubChanges = NonNullable<Parameters<typeof api.club.updateSettings>[0]['changes']>;

/** Saves settings, and says so in a toast. Throws what the call throws, once the newest settings are shown. */
export function useSaveClub({ version }: Pick<ClubSettingsView, 'version'>) {
  const client = useQueryClient();
  const { queryKey } = orpc.club.getSettings.queryOptions();
  return async (change: { changes?: ClubChanges; reset?: ClubField[] }, success: string) => {
    try {
      client.setQueryData(queryKey, await api.club.updateSettings({ version, ...change }));
      toast.success(success);
    } catch (error) {
      if (refusalOf(error, 'SETTINGS_CHANGED')) await client.invalidateQueries({ queryKey });
      throw error;
    }
  };
}

export const whyNotSaved = (error: unknown): string =>
  refusalOf(error, 'SETTING_REFUSED')?.data.why ??
  serverMessage(error) ??
  'Nothing was saved. Please try again.';
