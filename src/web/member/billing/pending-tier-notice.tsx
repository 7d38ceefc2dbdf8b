import type { Subscription } from '../../../contract/functions.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { perMonth } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTierWithdrawal } from './use-tier-withdrawal.ts';

interface PendingTierNoticeProps {
  subscription: Subscription;
  className?: string;
}

/** A tier change scheduled for the end of the period, with a button to cancel it. */
export function PendingTierNotice({ subscription, className = 'mb-4' }: PendingTierNoticeProps) {
  const { tier, pending_tier } = subscription;
  const tierLabel = useTierLabel();
  const { busy, withdraw } = useTierWithdrawal(tier);
  if (!pending_tier) return null;
  return (
    <Notice
      title={`${tierLabel(pending_tier.tier)} from ${dateOfInstant(pending_tier.from)}`}
      className={className}
      action={
        <Button variant="secondary" size="sm" busy={busy} busyLabel="One moment..." onClick={withdraw}>
          Stay on {tierLabel(tier)}
        </Button>
      }
    >
      You stay on {tierLabel(tier)} until then. After that you pay{' '}
      {perMonth(pending_tier.amount, subscription)}.
    </Notice>
  );
}
