import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { AccountShell } from './account-shell.tsx';
import { OwnPhotoCard } from './own-photo-card.tsx';

export function PhotoPage() {
  const { data: me, error, isFetching, refetch } = useQuery(orpc.members.getOwn.queryOptions());
  return (
    <AccountShell title="Photo">
      {me ? (
        <OwnPhotoCard profile={me.profile} photo={me.photo} />
      ) : error ? (
        <ErrorState
          of={error}
          title="We couldn’t load your photo"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <Card>
          <SkeletonLines lines={3} />
        </Card>
      )}
    </AccountShell>
  );
}
