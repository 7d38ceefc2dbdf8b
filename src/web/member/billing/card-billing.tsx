import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import CirclePause from 'lucide-react/icons/circle-pause';
import { useState } from 'react';
import type { Subscription, YearPayment } from '../../../contract/functions.ts';
import { isOverdue } from '../../../domain/billing.ts';
import { paymentMethodLabel, stripeLabel } from '../../../domain/payment-method.ts';
import { isEnded } from '../../../domain/standing.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { cardExpiry, statusTone } from '../../format/billing-labels.ts';
import { dateOfDay, dateOfInstant } from '../../format/dates.ts';
import { perMonth, withTax } from '../../format/money.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { AnotherYear } from './another-year.tsx';
import { BillingHeadline } from './billing-headline.tsx';
import { subscriptionLine } from './billing-line.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChangeTierDialog } from './change-tier-dialog.tsx';
import { ManageButton, ManageItem, ManagePanel, ORDER_IN_PANEL, useKeptFocus, useManage } from './manage.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { PauseNotice } from './pause-notice.tsx';
import { PaymentDueNotice } from './payment-due.tsx';
import { SkipDialog, useSkippableMonth } from './skip-month.tsx';
import { KeepMembershipButton, RenewButton, UpdateCardItem } from './subscription-actions.tsx';
import {
  PendingTierNotice,
  PriceMoveNotice,
  TierApprovalNotice,
  YearFollowsNotice,
} from './tier-notices.tsx';
import { endOf } from './upcoming-change.ts';
import { YearPaymentNotice } from './year-payment.tsx';

interface CardBillingProps {
  subscription: Subscription;
  /** A year that is being paid. */
  payment: YearPayment | null | undefined;
  /** The first name of the person who shares the membership. */
  partner: string | undefined;
}

/** The billing of a subscription: what comes next, what can be done about it behind one button, and its details. */
export function CardBilling({ subscription, payment, partner }: CardBillingProps) {
  const { skip: asksToSkip } = useSearch({ from: '/_member/account' });
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'cancel' | 'change' | 'pause' | 'skip' | null>(
    asksToSkip ? 'skip' : null,
  );
  const close = () => {
    setDialog(null);
    // Loaded again, the page does not ask again.
    if (asksToSkip) void navigate({ to: '/account', search: {}, replace: true });
  };
  const manage = useManage();
  useKeptFocus(manage.button, dialog !== null, subscription);
  const tierLabel = useTierLabel();
  const { status, cancel_at_period_end, current_period_end, pause, year_cents } = subscription;
  const last = subscription.charge_if_canceled;
  const ended = isEnded(status);
  const overdue = isOverdue(status);
  const end = endOf(subscription);
  const canChange =
    status === 'active' && end === null && !subscription.pending_tier && !subscription.approval && !pause;
  const skippable = useSkippableMonth(subscription, canChange);
  const periodEnd = dateOfInstant(cancel_at_period_end && end ? end : current_period_end);
  const hasYear = !ended && year_cents != null && payment?.state !== 'pending';
  // While a payment is due, the card is updated beside the words about it.
  const managed = (!ended && !overdue) || hasYear;
  return (
    <Card title="Billing" aside={managed && <ManageButton manage={manage} />}>
      <ManagePanel manage={manage}>
        {canChange && (
          <>
            <ManageItem icon={CirclePause} onClick={() => setDialog('pause')}>
              Pause Membership
            </ManageItem>
            <ManageItem icon={ArrowLeftRight} onClick={() => setDialog('change')}>
              Change Tier
            </ManageItem>
          </>
        )}
        {!overdue && <UpdateCardItem />}
        {hasYear && (
          <AnotherYear
            year_cents={year_cents}
            tierLabel={tierLabel(subscription.tier)}
            isYear={false}
            className={ORDER_IN_PANEL}
          />
        )}
      </ManagePanel>
      <BillingHeadline line={subscriptionLine(subscription, venueToday())}>
        {skippable && (
          <Button variant="quiet" size="sm" className="-mx-3" onClick={() => setDialog('skip')}>
            Skip {skippable.name}
          </Button>
        )}
      </BillingHeadline>
      <div className="mb-4 flex flex-col gap-4 empty:hidden">
        <PaymentDueNotice subscription={subscription} />
        <PauseNotice subscription={subscription} />
        <YearFollowsNotice subscription={subscription} />
        <YearPaymentNotice payment={payment} />
        <PendingTierNotice subscription={subscription} />
        <TierApprovalNotice subscription={subscription} />
        <PriceMoveNotice subscription={subscription} />
      </div>
      <SubscriptionDetails subscription={subscription} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-2 border-line border-t pt-4">
        <div className="flex flex-wrap gap-2 empty:hidden">
          {ended && <RenewButton />}
          {end !== null && !subscription.year_from && <KeepMembershipButton size="sm" />}
          {!ended && !cancel_at_period_end && (
            <Button variant="secondary" size="sm" onClick={() => setDialog('cancel')}>
              Cancel Subscription
            </Button>
          )}
        </div>
        <Link to="/account/payments" className="link target inline-flex items-center text-sm">
          Payments
        </Link>
      </div>
      {dialog === 'cancel' && (
        <CancelDialog
          periodEnd={periodEnd}
          overdue={overdue}
          partner={partner}
          card={{
            paused: pause?.begun ?? false,
            charging: subscription.is_charging,
            lastCharge: last && withTax(last.amount, subscription),
          }}
          onPause={pause ? undefined : () => setDialog('pause')}
          skip={skippable && { month: skippable.name, open: () => setDialog('skip') }}
          onClose={close}
        />
      )}
      {dialog === 'pause' && <PauseDialog onClose={close} />}
      {dialog === 'skip' && skippable && (
        <SkipDialog subscription={subscription} month={skippable} onClose={close} />
      )}
      {dialog === 'change' && <ChangeTierDialog subscription={subscription} onClose={close} />}
    </Card>
  );
}

function SubscriptionDetails({ subscription }: { subscription: Subscription }) {
  const { status, cancel_at_period_end, amount, payment_method, pause, next_charge } = subscription;
  const kept = subscription.charge_if_kept;
  const ended = isEnded(status);
  return (
    <DescriptionList
      dense
      items={[
        {
          term: 'Status',
          detail: pause?.begun ? (
            <Badge tone="warning">Paused</Badge>
          ) : (
            <span className="flex flex-wrap justify-end gap-2">
              <Badge tone={statusTone(subscription)}>{stripeLabel(status)}</Badge>
              {cancel_at_period_end && !ended && <Badge tone="warning">Cancels at period end</Badge>}
            </span>
          ),
        },
        ...dateItem(subscription),
        ...(ended ? [] : [{ term: 'Amount', detail: perMonth(amount, subscription) }]),
        ...(next_charge && cancel_at_period_end
          ? [{ term: 'Last Charge', detail: chargeText(next_charge, subscription) }]
          : []),
        // Another price, a temporary discount, credit, or what waits for an invoice.
        ...(next_charge && !cancel_at_period_end && next_charge.amount !== amount
          ? [{ term: 'Next Charge', detail: withTax(next_charge.amount, subscription) }]
          : []),
        ...(kept ? [{ term: 'If You Keep It', detail: chargeText(kept, subscription) }] : []),
        ...(payment_method ? paymentMethodItems(payment_method) : []),
      ]}
    />
  );
}

function paymentMethodItems(method: NonNullable<Subscription['payment_method']>) {
  const { type, exp_month, exp_year } = method;
  const item = { term: type === 'card' ? 'Card' : 'Payment Method', detail: paymentMethodLabel(method) };
  if (exp_month === null || exp_year === null) return [item];
  return [item, { term: 'Expires', detail: cardExpiry(exp_month, exp_year) }];
}

/** The relevant dates: the next charge, the end of access, or the day access ended. */
function dateItem(it: Subscription) {
  const { status, cancel_at_period_end, ends_at, ended_on, current_period_end, next_charge, pause } = it;
  if (ended_on) return [{ term: isEnded(status) ? 'Ended' : 'On Hold Since', detail: dateOfDay(ended_on) }];
  // Nothing was ever paid for this subscription.
  if (isEnded(status)) return [];
  if (next_charge && !cancel_at_period_end) {
    return [
      { term: 'Next Billing Date', detail: dateOfInstant(next_charge.at) },
      ...(ends_at === null ? [] : [{ term: 'Ends', detail: dateOfInstant(ends_at) }]),
    ];
  }
  if (pause?.begun) return [{ term: 'Ends', detail: dateOfInstant(ends_at ?? current_period_end) }];
  return ends_at === null ? [] : [{ term: 'Access Until', detail: dateOfInstant(ends_at) }];
}

const chargeText = ({ at, amount }: NonNullable<Subscription['next_charge']>, money: Subscription) =>
  `${withTax(amount, money)} on ${dateOfInstant(at)}`;
