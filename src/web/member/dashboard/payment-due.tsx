import { useQuery } from '@tanstack/react-query';
import type { AvailablePours } from '../../../contract/members.ts';
import { pourCount } from '../../../domain/pour.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Notice } from '../../ui/notice.tsx';
import { InvoiceButton, UpdateCardButton } from '../billing/subscription-actions.tsx';

/** Says that a payment failed, until when pours continue, and what to do. Renders nothing if everything is paid. */
export function PaymentDue({ pours }: { pours: AvailablePours | null }) {
  const { data } = useQuery(orpc.functions.getSubscriptionDetails.queryOptions({ input: {} }));
  const subscription = data?.subscription;
  if (!subscription || !['past_due', 'unpaid'].includes(subscription.status)) return null;
  const { grace_until } = subscription;
  const inGracePeriod = grace_until !== null && grace_until * 1000 > Date.now();
  const share =
    pours && pours.pours_when_paid > 0
      ? ` Until it is paid, you have ${pours.period_pours} of this month’s ${pourCount(pours.period_pours + pours.pours_when_paid)}.`
      : '';
  return (
    <Notice
      tone="warning"
      title="Your last payment didn’t go through"
      action={
        <div className="flex flex-wrap gap-3">
          <UpdateCardButton />
          <InvoiceButton variant="secondary" label="Pay Now: the open invoice">
            Pay Now
          </InvoiceButton>
        </div>
      }
    >
      {inGracePeriod
        ? `You keep your pours until ${dateOfInstant(grace_until)}.${share} Update your card or pay before then, or your membership ends.`
        : 'Your pours are on hold. Update your card or pay now to get them back.'}
    </Notice>
  );
}
