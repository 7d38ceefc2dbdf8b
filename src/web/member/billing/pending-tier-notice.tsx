import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '../../../contract/functions.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { centsPerMonth } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';

/** A tier change scheduled for the end of the period, with a button to cancel it. */
export function PendingTierNotice({ subscription }: { subscription: Subscription }) {
  const { tier, pending_tier } = subscription;
  const client = useQueryClient();
  const cancellation = useMutation(
    orpc.billing.cancelTierChange.mutationOptions({
      onSuccess: (answer) => {
        toast.success('Tier change canceled', { description: `You stay on ${tierLabel(tier)}.` });
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      },
      onError: () => {
        toast.error('Error', {
          description: 'The tier change could not be canceled. Please try again.',
        });
      },
    }),
  );
  if (!pending_tier) return null;
  return (
    <Notice
      title={`${tierLabel(pending_tier.tier)} from ${dateOfInstant(pending_tier.from)}`}
      className="mb-4"
      action={
        <Button
          variant="secondary"
          size="sm"
          busy={cancellation.isPending}
          busyLabel="One moment..."
          onClick={() => cancellation.mutate(undefined)}
        >
          Stay on {tierLabel(tier)}
        </Button>
      }
    >
      You stay on {tierLabel(tier)} until then. After that you pay {centsPerMonth(pending_tier.amount)}.
    </Notice>
  );
}
