import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/loaded.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { AccountShell } from './account-shell.tsx';
import { OwnPhotoCard } from './own-photo-card.tsx';

export function PhotoPage() {
  const query = useQuery(orpc.members.getOwn.queryOptions());
  return (
    <AccountShell title="Photo">
      {query.data ? (
        <OwnPhotoCard profile={query.data.profile} photo={query.data.photo} />
      ) : query.error ? (
        <LoadError query={query} title="We couldn’t load your photo" />
      ) : (
        <Card>
          <SkeletonLines lines={3} />
        </Card>
      )}
    </AccountShell>
  );
}
