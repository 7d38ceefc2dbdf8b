import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Profile } from '../../../contract/members.ts';
import { PhotoCard } from '../../account/photo-card.tsx';
import { api, orpc } from '../../api/client.ts';
import { ownPhotoUrl } from '../../api/pictures/picture-urls.ts';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/loaded.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { AccountShell } from './account-shell.tsx';

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

function OwnPhotoCard({ profile, photo }: { profile: Profile; photo: string | null }) {
  const queries = useQueryClient();
  const { first_name, last_name } = profile;
  return (
    <PhotoCard
      src={ownPhotoUrl(photo)}
      first_name={first_name}
      last_name={last_name}
      save={(upload) => api.photos.saveOwn(upload)}
      remove={() => api.photos.removeOwn()}
      onChanged={() => queries.invalidateQueries({ queryKey: orpc.members.key() })}
    >
      By adding a photo, you agree that our staff see it with your name, so they recognize you. Nobody else
      sees it, and you can remove it at any time.
    </PhotoCard>
  );
}
