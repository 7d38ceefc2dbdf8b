import { useQueryClient } from '@tanstack/react-query';
import { api, orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** Withdraws an upcoming tier change; the member stays on `tier`. */
export function useTierWithdrawal(tier: string) {
  const client = useQueryClient();
  const tierLabel = useTierLabel();
  const { busy, send } = useSend();
  const withdraw = () =>
    send(
      async () => {
        const answer = await api.billing.cancelTierChange();
        toast.success('Tier change canceled', { description: `You stay on ${tierLabel(tier)}.` });
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      },
      (error) =>
        toast.error('Error', {
          description: 'We couldn’t cancel the tier change. Please try again.',
          of: error,
        }),
    );
  return { busy, withdraw };
}
