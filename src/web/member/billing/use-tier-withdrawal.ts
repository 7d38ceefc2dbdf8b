import { useMutation, useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { toast } from '../../ui/toast.ts';

/** Withdraws an upcoming tier change; the member stays on `tier`. */
export function useTierWithdrawal(tier: string) {
  const client = useQueryClient();
  const tierLabel = useTierLabel();
  return useMutation(
    orpc.billing.cancelTierChange.mutationOptions({
      onSuccess: (answer) => {
        toast.success('Tier change canceled', { description: `You stay on ${tierLabel(tier)}.` });
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      },
      onError: (error) => {
        toast.error('Error', {
          description: 'The tier change could not be canceled. Please try again.',
          of: error,
        });
      },
    }),
  );
}
