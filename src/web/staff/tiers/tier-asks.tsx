import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import { api, orpc } from '../../api/client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { membersText } from './tier-card.tsx';
import { tierProblem } from './tier-problem.ts';

interface RetireDialogProps {
  tier: TierSetting;
  onSaved: (tiers: TierSetting[]) => void;
  onClose: () => void;
}

export function RetireDialog({ tier, onSaved, onClose }: RetireDialogProps) {
  const { busy, send } = useSend();
  const retire = () =>
    send(
      async () => {
        onSaved(await api.tierSettings.offer({ tier_name: tier.tier_name, on_offer: false }));
        toast.success(`${tier.display_name} is retired`);
      },
      (error) => toast.error(tierProblem(error).text, { of: error }),
      onClose,
    );
  return (
    <AlertDialog
      open
      title={`Retire ${tier.display_name}?`}
      description={`Nobody new can choose it. ${membersText(tier.members)} keep it, its price and its pours. You can offer it again.`}
      confirmLabel="Retire"
      busyLabel="Retiring..."
      busy={busy}
      onConfirm={retire}
      onClose={onClose}
    />
  );
}

export function WithdrawDialog({ tier, onClose }: { tier: TierSetting; onClose: () => void }) {
  return (
    <ActDialog
      title={`Withdraw the move to ${tier.display_name}?`}
      description={`${membersText(tier.moves?.count ?? 0)} get an email that their price stays as it is.`}
      confirmLabel="Withdraw"
      busyLabel="Withdrawing..."
      act={async () => {
        const { withdrawn } = await api.tierSettings.withdrawMoves({ tier_name: tier.tier_name });
        return `Withdrawn: ${membersText(withdrawn)} emailed`;
      }}
      failed="We couldn’t withdraw the move. Please try again."
      reload={orpc.tierSettings.key()}
      onClose={onClose}
    />
  );
}
