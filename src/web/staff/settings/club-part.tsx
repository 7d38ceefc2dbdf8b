import type { ReactNode } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { useClub } from './use-club.ts';

/** A card about some of the club's settings, with its loading and error states; `children` renders the loaded settings. */
export function ClubPart({
  title,
  lines = 5,
  children,
}: {
  title?: string;
  lines?: number;
  children: (view: ClubSettingsView) => ReactNode;
}) {
  const { data, error, isError, isFetching, refetch } = useClub();
  if (data) return children(data);
  return (
    <Card title={title}>
      {isError ? (
        <ErrorState
          of={error}
          title="We couldn’t load the club’s settings"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonLines lines={lines} />
      )}
    </Card>
  );
}
