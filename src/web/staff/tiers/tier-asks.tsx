import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import { orpc, serverMessage } from '../../api/client.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { membersText } from './tier-card.tsx';
import { tierProblem } from './tier-problem.ts';

interface RetireDialogProps {
  tier: TierSetting;
  onSaved: (tiers: TierSetting[]) => void;
  onClose: () => void;
}

export function RetireDialog({ tier, onSaved, onClose }: RetireDialogProps) {
  const retiring = useMutation(
    orpc.tierSettings.offer.mutationOptions({
      onSuccess: (tiers) => {
        onSaved(tiers);
        toast.success(`${tier.display_name} is retired`);
      },
      onError: (error) => toast.error(tierProblem(error).text, { of: error }),
      onSettled: onClose,
    }),
  );
  return (
    <AlertDialog
      open
      title={`Retire ${tier.display_name}?`}
      description={`Nobody new can choose it. ${membersText(tier.members)} keep it, its price and its glasses. You can offer it again.`}
      confirmLabel="Retire"
      busyLabel="Retiring..."
      busy={retiring.isPending}
      onConfirm={() => retiring.mutate({ tier_name: tier.tier_name, on_offer: false })}
      onClose={onClose}
    />
  );
}

export function WithdrawDialog({ tier, onClose }: { tier: TierSetting; onClose: () => void }) {
  const client = useQueryClient();
  const withdrawal = useMutation(
    orpc.tierSettings.withdrawMoves.mutationOptions({
      onSuccess: ({ withdrawn }) => toast.success(`Withdrawn: ${membersText(withdrawn)} emailed`),
      onError: (error) =>
        toast.error(serverMessage(error) ?? 'The move could not be withdrawn. Please try again.', {
          of: error,
        }),
      onSettled: async () => {
        await client.invalidateQueries({ queryKey: orpc.tierSettings.key() });
        onClose();
      },
    }),
  );
  return (
    <AlertDialog
      open
      title={`Withdraw the move to ${tier.display_name}?`}
      description={`${membersText(tier.moves?.count ?? 0)} get an email that their price stays as it is.`}
      confirmLabel="Withdraw"
      busyLabel="Withdrawing..."
      busy={withdrawal.isPending}
      onConfirm={() => withdrawal.mutate({ tier_name: tier.tier_name })}
      onClose={onClose}
    />
  );
}
