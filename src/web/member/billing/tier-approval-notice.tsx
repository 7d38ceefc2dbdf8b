import type { Subscription } from '../../../contract/functions.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant, timeOfDay } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { InvoiceButton } from './subscription-actions.tsx';
import { useTierWithdrawal } from './use-tier-withdrawal.ts';

/** A tier change whose payment the member's bank must approve, with buttons to approve or withdraw it. */
export function TierApprovalNotice({ subscription }: { subscription: Subscription }) {
  const { tier, approval } = subscription;
  const tierLabel = useTierLabel();
  const { busy, withdraw } = useTierWithdrawal(tier);
  if (!approval) return null;
  const until = `${timeOfDay(new Date(approval.until * 1000))} on ${dateOfInstant(approval.until)}`;
  return (
    <Notice
      tone="warning"
      role="status"
      title="Your bank wants you to approve this payment"
      className="mb-4"
      action={
        <div className="flex flex-wrap gap-3">
          <InvoiceButton variant="secondary" label="Approve Payment with your bank">
            Approve Payment
          </InvoiceButton>
          <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={withdraw}>
            Stay on {tierLabel(tier)}
          </Button>
        </div>
      }
    >
      Your change to {tierLabel(approval.tier)} will take effect when you do. If you don’t approve it by{' '}
      {until}, nothing changes and you are not charged.
    </Notice>
  );
}
