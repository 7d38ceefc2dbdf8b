import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '../../../contract/functions.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { centsPerMonth } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';

/** A change that waits for the end of the period, and the way to take it back. */
export function PendingTierNotice({ subscription }: { subscription: Subscription }) {
  const { tier, pending_tier } = subscription;
  const client = useQueryClient();
  const keeping = useMutation(
    orpc.billing.cancelTierChange.mutationOptions({
      onSuccess: (answer) => {
        toast.success('Tier kept', { description: `You stay on ${tierLabel(tier)}.` });
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      },
      onError: () => {
        toast.error('Error', {
          description: 'The change could not be taken back just now. Please try again.',
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
          busy={keeping.isPending}
          busyLabel="One moment..."
          onClick={() => keeping.mutate(undefined)}
        >
          Stay on {tierLabel(tier)}
        </Button>
      }
    >
      Until then you keep {tierLabel(tier)}; after that it is {centsPerMonth(pending_tier.amount)}.
    </Notice>
  );
}
