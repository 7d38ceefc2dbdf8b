import CalendarOff from 'lucide-react/icons/calendar-off';
import CirclePause from 'lucide-react/icons/circle-pause';
import CreditCard from 'lucide-react/icons/credit-card';
import { useState } from 'react';
import type { YearPayment } from '../../../contract/functions.ts';
import type { AvailablePours, DuesNow, OwnMembership } from '../../../contract/members.ts';
import { nextMonthTier } from '../../../domain/membership/dues.ts';
import { formatAmount } from '../../../domain/money.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { dateOfDay, dateOfInstant, monthOfInstant } from '../../format/dates.ts';
import { yearEndsSoon } from '../../format/dues.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { AnotherYear } from './another-year.tsx';
import { BillingHeadline } from './billing-headline.tsx';
import { venueLine } from './billing-line.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { DuesNotice } from './dues-notice.tsx';
import { ManageButton, ManageItem, ManagePanel, ORDER_IN_PANEL, useKeptFocus, useManage } from './manage.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { PayByCardDialog } from './pay-by-card.tsx';
import { KeepMembershipButton, RenewButton } from './subscription-actions.tsx';
import { TiersUp } from './tiers-up.tsx';
import { SkipAtVenue, useVenueMonth, VenuePauseNotice } from './venue-pause.tsx';
import { YearPaymentNotice } from './year-payment.tsx';

export interface VenueBillingProps {
  active: boolean;
  tier: string;
  ends: OwnMembership['ends'];
  dues: DuesNow | null;
  /** The dearer tiers that the member's year can change to. */
  tiersUp: OwnMembership['tiers_up'];
  /** A year that is being paid. */
  payment: YearPayment | null | undefined;
  pours: AvailablePours | null;
  ifCanceled: OwnMembership['if_canceled'];
  /** The first name of the person who shares the membership. */
  partner: string | undefined;
}

/** The billing of a membership without a card: paid at the venue, once for a year, as a gift, or on the house. */
export function VenueBilling(own: VenueBillingProps) {
  const { active, tier, ends, dues, payment, pours, ifCanceled, partner } = own;
  const canOrder = site.payments === 'on' && payment?.state !== 'pending';
  const [dialog, setDialog] = useState<'cancel' | 'card' | 'pause' | 'skip' | null>(null);
  const close = () => setDialog(null);
  const manage = useManage();
  useKeptFocus(manage.button, dialog !== null, dues);
  const tierLabel = tierLabelOf(useTierLabel(), tier, dues);
  const isGiven = ends?.is_gift || ends?.on_the_house;
  const month = useVenueMonth(active && dues !== null && !isGiven);
  const online = dues && !ends && canOrder ? dues : null;
  const byCard = active && online?.card_cents && !online.pause ? online : null;
  const year = online && online.year_cents !== null ? { ...online, year_cents: online.year_cents } : null;
  // A year that is nearly over is the one thing to do here.
  const isYearOver = year !== null && yearEndsSoon(year);
  const tiersUp = canOrder ? own.tiersUp : [];
  const managed = byCard || tiersUp.length > 0 || month || (year && !isYearOver);
  return (
    <Card title="Billing" aside={managed && <ManageButton manage={manage} />}>
      <ManagePanel manage={manage}>
        {byCard && (
          <ManageItem icon={CreditCard} onClick={() => setDialog('card')}>
            Pay by Card
          </ManageItem>
        )}
        {month && (
          <ManageItem icon={CirclePause} onClick={() => setDialog('pause')}>
            Pause Membership
          </ManageItem>
        )}
        {month && dues?.is_year && (
          <ManageItem icon={CalendarOff} onClick={() => setDialog('skip')}>
            Skip {monthOfInstant(month.from)}
          </ManageItem>
        )}
        <TiersUp offers={tiersUp} className={ORDER_IN_PANEL} />
        {year && !isYearOver && (
          <AnotherYear
            year_cents={year.year_cents}
            tierLabel={tierLabel}
            isYear={year.is_year}
            className={ORDER_IN_PANEL}
          />
        )}
      </ManagePanel>
      <BillingHeadline line={active ? venueLine(ends, dues, venueToday()) : null}>
        {month && !dues?.is_year && (
          <Button variant="quiet" size="sm" className="-mx-3" onClick={() => setDialog('skip')}>
            Skip {monthOfInstant(month.from)}
          </Button>
        )}
      </BillingHeadline>
      <div className="mb-4 flex flex-col gap-4 empty:hidden">
        <YearPaymentNotice payment={payment} />
        {dues && <DuesNotice dues={dues} pours={pours} />}
        {dues && <VenuePauseNotice dues={dues} />}
      </div>
      {dues && !dues.is_year && !isGiven && (
        <DescriptionList
          dense
          className="mb-3"
          items={[{ term: 'Amount', detail: `${formatAmount(dues.price_cents, site.currency)} per month` }]}
        />
      )}
      <p className="text-ink-muted">
        <VenueText {...{ active, ends, dues }} />
      </p>
      {year && isYearOver && (
        <AnotherYear
          year_cents={year.year_cents}
          tierLabel={tierLabel}
          isYear={year.is_year}
          className="mt-4 pt-4"
        />
      )}
      <div className="mt-4 flex flex-wrap gap-2 border-line border-t pt-4 empty:hidden">
        {!active && <RenewButton />}
        {active && ends?.by_member && (
          <KeepMembershipButton size="sm" by={ends.then_by_card ? 'venue' : 'renew'} />
        )}
        {active && !isGiven && ifCanceled && (
          <Button variant="secondary" size="sm" onClick={() => setDialog('cancel')}>
            Cancel Subscription
          </Button>
        )}
      </div>
      {dialog === 'card' && byCard && <PayByCardDialog dues={byCard} tierLabel={tierLabel} onClose={close} />}
      {dialog === 'pause' && <PauseDialog atVenue onClose={close} />}
      {dialog === 'skip' && month && <SkipAtVenue month={month} onClose={close} />}
      {dialog === 'cancel' && ifCanceled && (
        <CancelDialog
          periodEnd={dateOfInstant(ifCanceled.ends_at)}
          overdue={ifCanceled.overdue}
          partner={partner}
          card={null}
          onClose={close}
        />
      )}
    </Card>
  );
}

/** The name of the tier of the next month that is paid. */
function tierLabelOf(label: (tier: string) => string, tier: string, dues: DuesNow | null): string {
  if (!dues) return label(tier);
  const { paid_until, pending_tier } = dues;
  const pending = { pending_tier: pending_tier?.tier ?? null, pending_from: pending_tier?.from ?? null };
  return label(nextMonthTier({ tier, paid_until, ...pending }));
}

function VenueText({ active, ends, dues }: Pick<VenueBillingProps, 'active' | 'ends' | 'dues'>) {
  if (ends?.is_gift || ends?.on_the_house) {
    const what = ends.is_gift ? 'is a gift' : 'is on the house';
    return `Your membership ${what}, through ${dateOfDay(ends.last_day)}. You are not charged, and it does not renew. From the next day you can continue by card.`;
  }
  if (!active) return 'There is no subscription on this account.';
  return (
    <>
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
    </>
  );
}
