import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Subscription } from '../../../contract/functions.ts';
import type { AvailablePours, DuesNow, OwnMembership } from '../../../contract/members.ts';
import { isOverdue } from '../../../domain/billing.ts';
import { nextMonthTier } from '../../../domain/membership/dues.ts';
import { formatAmount } from '../../../domain/money.ts';
import { paymentMethodLabel, stripeLabel } from '../../../domain/payment-method.ts';
import { isEnded } from '../../../domain/standing.ts';
import { orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { cardExpiry, statusTone } from '../../format/billing-labels.ts';
import { dateOfDay, dateOfInstant } from '../../format/dates.ts';
import { lastDayOf } from '../../format/dues.ts';
import { perMonth, withTax } from '../../format/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { AnotherYear } from './another-year.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { ChangeTierDialog } from './change-tier-dialog.tsx';
import { DuesNotice } from './dues-notice.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { PauseNotice } from './pause-notice.tsx';
import { PayByCard } from './pay-by-card.tsx';
import { PaymentDueNotice, useDuePaymentCheck } from './payment-due.tsx';
import { SkipDialog, useSkippableMonth } from './skip-month.tsx';
import { KeepMembershipButton, UpdateCardButton } from './subscription-actions.tsx';
import {
  PendingTierNotice,
  PriceMoveNotice,
  TierApprovalNotice,
  YearFollowsNotice,
} from './tier-notices.tsx';
import { endOf } from './upcoming-change.ts';
import { VenuePauseButtons, VenuePauseNotice } from './venue-pause.tsx';

interface BillingCardProps {
  active: boolean;
  tier: string;
  ends: OwnMembership['ends'];
  dues: DuesNow | null;
  pours: AvailablePours | null;
  ifCanceled: OwnMembership['if_canceled'];
  /** The first name of the person who shares the membership. */
  partner: string | undefined;
}

export function BillingCard({ active, tier, ends, ifCanceled, dues, pours, partner }: BillingCardProps) {
  const query = useQuery(orpc.functions.getSubscriptionDetails.queryOptions({ input: {} }));
  const tierLabel = useTierLabel();
  const nextTierLabel = ({ paid_until, pending_tier }: DuesNow) => {
    const pending = { pending_tier: pending_tier?.tier ?? null, pending_from: pending_tier?.from ?? null };
    return tierLabel(nextMonthTier({ tier, paid_until, ...pending }));
  };
  useDuePaymentCheck(query.data?.subscription ?? null);
  if (query.data?.subscription)
    return <CardSubscription subscription={query.data.subscription} partner={partner} />;
  return (
    <Card title="Billing">
      <Loaded query={query} failed="We couldn’t load your billing details" lines={4}>
        {() => (
          <div className="text-ink-muted">
            {dues && <VenueBilling dues={dues} pours={pours} />}
            {ends?.is_gift ? (
              `Your membership is a gift, through ${dateOfDay(ends.last_day)}. You are not charged, and it does not renew. From the next day you can continue by card.`
            ) : ends?.on_the_house ? (
              `Your membership is on the house, through ${dateOfDay(ends.last_day)}. You are not charged, and it does not renew. From the next day you can continue by card.`
            ) : active ? (
              <VenueMembership
                {...{ dues, ends, ifCanceled, partner }}
                byCard={
                  dues?.card_cents && !ends && !dues.pause && site.payments === 'on' ? (
                    <PayByCard dues={dues} tierLabel={nextTierLabel(dues)} />
                  ) : null
                }
              />
            ) : (
              'There is no subscription on this account.'
            )}
            {dues && !ends && site.payments === 'on' && (
              <AnotherYear
                year_cents={dues.year_cents}
                tierLabel={nextTierLabel(dues)}
                isYear={dues.is_year}
              />
            )}
            {!active && <Renew />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

/** Until when a membership at the venue is paid. */
function VenueBilling({ dues, pours }: { dues: DuesNow; pours: AvailablePours | null }) {
  return (
    <div className="mb-4 flex flex-col gap-4 text-ink">
      <DuesNotice dues={dues} pours={pours} />
      <VenuePauseNotice dues={dues} />
      <DescriptionList
        dense
        items={
          dues.is_year
            ? [{ term: 'Last Day', detail: lastDayOf(dues) }]
            : [
                { term: 'Paid Until', detail: dateOfDay(dues.paid_until) },
                { term: 'Amount', detail: `${formatAmount(dues.price_cents, site.currency)} per month` },
              ]
        }
      />
    </div>
  );
}

function VenueMembership({
  dues,
  ends,
  ifCanceled,
  partner,
  byCard,
}: Pick<BillingCardProps, 'dues' | 'ends' | 'ifCanceled' | 'partner'> & { byCard: ReactNode }) {
  const [canceling, setCanceling] = useState(false);
  return (
    <>
      <p>
        {dues?.is_year
          ? 'Your membership is paid for a year. It ends by itself, and nothing is charged.'
          : ends?.then_by_card
            ? 'Your membership is billed at the venue for now.'
            : 'Your membership is billed at the venue, so there is no card on file.'}{' '}
        {ends?.then_by_card ? (
          `Your card is charged from ${dateOfInstant(ends.ends_at)}.`
        ) : ends ? (
          `It ends on ${dateOfInstant(ends.ends_at)}.`
        ) : (
          <>
            To change it, talk to our staff or email <SupportLink />.
          </>
        )}
      </p>
      <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {ends?.by_member && <KeepMembershipButton size="sm" by={ends.then_by_card ? 'venue' : 'renew'} />}
        {byCard}
        {dues && <VenuePauseButtons />}
        {ifCanceled && (
          <Button variant="secondary" size="sm" onClick={() => setCanceling(true)}>
            Cancel Subscription
          </Button>
        )}
      </div>
      {canceling && ifCanceled && (
        <CancelDialog
          periodEnd={dateOfInstant(ifCanceled.ends_at)}
          overdue={ifCanceled.overdue}
          partner={partner}
          card={null}
          onClose={() => setCanceling(false)}
        />
      )}
    </>
  );
}

function Renew() {
  return (
    <LinkButton to="/apply" className="mt-4">
      Renew Membership
    </LinkButton>
  );
}

function paymentMethodItems(method: NonNullable<Subscription['payment_method']>) {
  const { type, exp_month, exp_year } = method;
  const item = { term: type === 'card' ? 'Card' : 'Payment Method', detail: paymentMethodLabel(method) };
  if (exp_month === null || exp_year === null) return [item];
  return [item, { term: 'Expires', detail: cardExpiry(exp_month, exp_year) }];
}

/** The relevant dates: the next charge with the button to skip it, the end of access, or the day access ended. */
function dateItem(it: Subscription, skip: ReactNode) {
  const { status, cancel_at_period_end, ends_at, ended_on, current_period_end, next_charge, pause } = it;
  if (ended_on) return [{ term: isEnded(status) ? 'Ended' : 'On Hold Since', detail: dateOfDay(ended_on) }];
  // Nothing was ever paid for this subscription.
  if (isEnded(status)) return [];
  if (next_charge && !cancel_at_period_end) {
    return [
      {
        term: 'Next Billing Date',
        detail: (
          <span className="flex flex-wrap items-center justify-end gap-x-3">
            {dateOfInstant(next_charge.at)}
            {skip}
          </span>
        ),
      },
      ...(ends_at === null ? [] : [{ term: 'Ends', detail: dateOfInstant(ends_at) }]),
    ];
  }
  if (pause?.begun) return [{ term: 'Ends', detail: dateOfInstant(ends_at ?? current_period_end) }];
  return ends_at === null ? [] : [{ term: 'Access Until', detail: dateOfInstant(ends_at) }];
}

const chargeText = ({ at, amount }: NonNullable<Subscription['next_charge']>, money: Subscription) =>
  `${withTax(amount, money)} on ${dateOfInstant(at)}`;

interface CardSubscriptionProps extends Pick<BillingCardProps, 'partner'> {
  subscription: Subscription;
}

function CardSubscription({ subscription, partner }: CardSubscriptionProps) {
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
  const tierLabel = useTierLabel();
  const { status, cancel_at_period_end, current_period_end, amount, payment_method, pause } = subscription;
  const { next_charge, charge_if_kept: kept, charge_if_canceled: last } = subscription;
  const ended = isEnded(status);
  const end = endOf(subscription);
  const canChange =
    status === 'active' && end === null && !subscription.pending_tier && !subscription.approval && !pause;
  const skippable = useSkippableMonth(subscription, canChange);
  const periodEnd = dateOfInstant(cancel_at_period_end && end ? end : current_period_end);
  return (
    <Card
      title="Billing"
      aside={
        <Link to="/account/payments" className="link target -my-2 inline-flex items-center text-sm">
          Payments
        </Link>
      }
    >
      <div className="mb-4 flex flex-col gap-4 empty:hidden">
        <PaymentDueNotice subscription={subscription} />
        <PauseNotice subscription={subscription} />
        <YearFollowsNotice subscription={subscription} />
        <PendingTierNotice subscription={subscription} />
        <TierApprovalNotice subscription={subscription} />
        <PriceMoveNotice subscription={subscription} />
      </div>
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
          ...dateItem(
            subscription,
            skippable && (
              <Button variant="quiet" size="sm" className="-my-1.5 -mr-3" onClick={() => setDialog('skip')}>
                Skip {skippable.name}
              </Button>
            ),
          ),
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
      {ended && <Renew />}
      {!ended && (
        <div className="mt-3 flex flex-wrap gap-2 border-line border-t pt-4">
          {!isOverdue(status) && <UpdateCardButton size="sm" />}
          {canChange && (
            <>
              <Button variant="secondary" size="sm" onClick={() => setDialog('pause')}>
                Pause Membership
              </Button>
              <Button variant="secondary" size="sm" onClick={() => setDialog('change')}>
                Change Tier
              </Button>
            </>
          )}
          {end !== null && !subscription.year_from && <KeepMembershipButton size="sm" />}
          {!cancel_at_period_end && (
            <Button variant="secondary" size="sm" onClick={() => setDialog('cancel')}>
              Cancel Subscription
            </Button>
          )}
          <AnotherYear
            year_cents={subscription.year_cents}
            tierLabel={tierLabel(subscription.tier)}
            isYear={false}
          />
          {dialog === 'cancel' && (
            <CancelDialog
              periodEnd={periodEnd}
              overdue={isOverdue(status)}
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
        </div>
      )}
    </Card>
  );
}
