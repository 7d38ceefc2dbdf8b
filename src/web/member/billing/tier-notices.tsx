import { useQueryClient } from '@tanstack/react-query';
import type { Subscription } from '../../../contract/functions.ts';
import { api, orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant, timeOfDay } from '../../format/dates.ts';
import { perMonth } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { InvoiceButton, KeepMembershipButton } from './subscription-actions.tsx';

export function PendingTierNotice({ subscription }: { subscription: Subscription }) {
  const { tier, pending_tier } = subscription;
  const tierLabel = useTierLabel();
  const { busy, withdraw } = useTierWithdrawal(tier);
  if (!pending_tier) return null;
  return (
    <Notice
      title={`${tierLabel(pending_tier.tier)} from ${dateOfInstant(pending_tier.from)}`}
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

/** The year that follows the paid month. Renders nothing without one. */
export function YearFollowsNotice({ subscription: { year_from } }: { subscription: Subscription }) {
  if (!year_from) return null;
  return (
    <Notice
      title={`Your year begins on ${dateOfInstant(year_from)}`}
      action={<KeepMembershipButton size="sm" by="month" />}
    >
      It’s paid, and your card isn’t charged again. Until then you can go on by the month, and we refund the
      year.
    </Notice>
  );
}

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

/** The announced move to another price. The page's cancel button is below. */
export function PriceMoveNotice({ subscription }: { subscription: Subscription }) {
  const tierLabel = useTierLabel();
  const { tier, amount, price_move } = subscription;
  if (!price_move) return null;
  const from = dateOfInstant(price_move.from);
  const price = perMonth(price_move.amount, subscription);
  return (
    <Notice
      title={
        price_move.tier === tier
          ? `Your price changes on ${from}`
          : `${tierLabel(price_move.tier)} from ${from}`
      }
    >
      You’ll pay {price} from then on, and {perMonth(amount, subscription)} until then. You can cancel before
      that.
    </Notice>
  );
}

function useTierWithdrawal(tier: string) {
  const client = useQueryClient();
  const tierLabel = useTierLabel();
  const { busy, send } = useSend();
  const withdraw = () =>
    send(async () => {
      const answer = await api.billing.cancelTierChange();
      toast.success('Tier change canceled', { description: `You stay on ${tierLabel(tier)}.` });
      client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
    }, errorToast('We couldn’t cancel the tier change. Please try again.'));
  return { busy, withdraw };
}
