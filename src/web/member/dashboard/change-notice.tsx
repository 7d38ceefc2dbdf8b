import { dateOfInstant } from '../../format/dates.ts';
import { Notice } from '../../ui/notice.tsx';
import { PauseNotice } from '../billing/pause-notice.tsx';
import { PendingTierNotice } from '../billing/pending-tier-notice.tsx';
import { KeepMembershipButton } from '../billing/subscription-actions.tsx';
import { endOf, useSubscription } from '../billing/upcoming-change.ts';

/** A decision that the member can still undo: a pause, a cancellation, or another tier. Renders nothing without one. */
export function ChangeNotice() {
  const subscription = useSubscription();
  if (!subscription) return null;
  if (subscription.pause) return <PauseNotice subscription={subscription} className="" />;
  const end = endOf(subscription);
  if (end === null) return <PendingTierNotice subscription={subscription} className="" />;
  return (
    <Notice
      tone="warning"
      title={`Your membership ends on ${dateOfInstant(end)}`}
      action={<KeepMembershipButton />}
    >
      You’ll keep your pours until then, and you won’t be charged again.
    </Notice>
  );
}
