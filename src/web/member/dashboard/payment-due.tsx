import { useQuery } from '@tanstack/react-query';
import { pourCount } from '../../../domain/pour.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Notice } from '../../ui/notice.tsx';
import { InvoiceButton, UpdateCard } from '../billing/subscription-actions.tsx';

/** Says that a payment failed, until when the glasses are kept, and what to do; nothing when all is paid. */
export function PaymentDue({ customerId }: { customerId: string }) {
  const { data } = useQuery(orpc.functions.getSubscriptionDetails.queryOptions({ input: {} }));
  const { data: pours } = useQuery(
    orpc.functions.getAvailablePours.queryOptions({ input: { customer_id: customerId } }),
  );
  const subscription = data?.subscription;
  if (!subscription || !['past_due', 'unpaid'].includes(subscription.status)) return null;
  const { grace_until } = subscription;
  const kept = grace_until !== null && grace_until * 1000 > Date.now();
  const share =
    pours && pours.pours_when_paid > 0
      ? ` Until it is paid, you have ${pours.tier_max} of this month's ${pourCount(pours.tier_max + pours.pours_when_paid)}.`
      : '';
  return (
    <Notice
      tone="warning"
      title="Your last payment did not go through"
      action={
        <div className="flex flex-wrap gap-3">
          <UpdateCard />
          <InvoiceButton variant="secondary" label="Pay the open invoice now">
            Pay Now
          </InvoiceButton>
        </div>
      }
    >
      {kept
        ? `You keep your pours until ${dateOfInstant(grace_until)}.${share} Please update your card or pay before then.`
        : 'Your pours wait for it. Update your card, and they are back once it is paid.'}
    </Notice>
  );
}
