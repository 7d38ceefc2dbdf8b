import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PhotoCard } from '../../account/photo-card.tsx';
import { api, orpc } from '../../api/client.ts';
import { ownPhotoUrl } from '../../api/pictures/picture-urls.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { AccountShell } from './account-shell.tsx';

export function PhotoPage() {
  const client = useQueryClient();
  const query = useQuery(orpc.members.getOwn.queryOptions());
  return (
    <AccountShell title="Photo">
      <Loaded query={query} card lines={3} failed="We couldn’t load your photo">
        {({ profile, photo }) => (
          <PhotoCard
            src={ownPhotoUrl(photo)}
            first_name={profile.first_name}
            last_name={profile.last_name}
            save={(upload) => api.photos.saveOwn(upload)}
            remove={() => api.photos.removeOwn()}
            onChanged={() => client.invalidateQueries({ queryKey: orpc.members.key() })}
          >
            By adding a photo, you agree that our staff see it with your name, so they recognize you. Nobody
            else sees it, and you can remove it at any time.
          </PhotoCard>
        )}
      </Loaded>
    </AccountShell>
  );
}
