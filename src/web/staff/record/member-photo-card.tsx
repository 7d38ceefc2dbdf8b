import { useQueryClient } from '@tanstack/react-query';
import type { MemberDetail } from '../../../contract/members.ts';
import { PhotoCard } from '../../account/photo-card.tsx';
import { api, orpc } from '../../api/client.ts';
import { memberPhotoUrl } from '../../api/pictures/picture-urls.ts';

/** A member's photo, for staff who manage members: taken at the bar, or sent in by the member. */
export function MemberPhotoCard({ member: { customer, profile, photo } }: { member: MemberDetail }) {
  const queries = useQueryClient();
  const { first_name, last_name } = profile;
  const customer_id = customer.id;
  return (
    <PhotoCard
      title="Photo"
      key={customer_id}
      src={memberPhotoUrl(customer_id, photo)}
      first_name={first_name}
      last_name={last_name}
      question="The member agreed to have a photo here"
      save={(upload) => api.photos.save({ customer_id, ...upload })}
      remove={() => api.photos.remove({ customer_id })}
      onChanged={() => queries.invalidateQueries({ queryKey: orpc.members.key() })}
    >
      Shown to staff at each scan. Ask the member first; they can remove it themselves, under Account.
    </PhotoCard>
  );
}
