import { Link } from '@tanstack/react-router';
import QrCode from 'lucide-react/icons/qr-code';
import Settings2 from 'lucide-react/icons/settings-2';
import Wine from 'lucide-react/icons/wine';
import { lazy, type ReactNode, Suspense } from 'react';
import type { AvailablePours, Customer } from '../../../contract/members.ts';
import { isOverdue } from '../../../domain/billing.ts';
import { grantsText, rolledOverUsed } from '../../../domain/membership/grants-text.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { MembershipCard } from '../../brand/membership-card.tsx';
import { PoursMeter } from '../../brand/pours-meter.tsx';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { calendarDay, dateOfDay, dateOfInstant, monthOfDay } from '../../format/dates.ts';
import { lastDayOf } from '../../format/dues.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { endOf, type Pause, useSubscription, useUpcomingChange } from '../billing/upcoming-change.ts';
import type { OwnRecord } from '../use-own.ts';
import { DashboardColumns, ResetsNote } from './dashboard-columns.tsx';

/** Loaded separately, because few members have a household. */
const HouseholdPanel = lazy(() => import('../sharing/household-panel.tsx'));

interface MemberDashboardProps
  extends Pick<OwnRecord, 'profile' | 'pours' | 'household' | 'has_free_seat' | 'dues' | 'ends'> {
  customer: Customer;
  children: ReactNode;
}

type OwnCardProps = Pick<MemberDashboardProps, 'profile' | 'customer' | 'household' | 'dues' | 'ends'>;

/** Separate from the page, which then does not render again when the tier names or the subscription arrive. */
function OwnCard({ profile, customer, household, dues, ends }: OwnCardProps) {
  const tierLabel = useTierLabel();
  const subscription = useSubscription();
  const change = useUpcomingChange(household, ends, dues);
  return (
    <MembershipCard
      name={`${profile.first_name} ${profile.last_name}`}
      tier={customer.tier}
      tierLabel={tierLabel(customer.tier)}
      memberSince={monthOfDay(customer.member_since)}
      change={subscription && isOverdue(subscription.status) ? 'Payment failed' : (change ?? duesLine(dues))}
    />
  );
}

function duesLine(dues: OwnCardProps['dues']): string | undefined {
  if (!dues) return undefined;
  if (dues.state === 'overdue') return 'Payment due';
  return dues.is_year ? `Last day ${lastDayOf(dues)}` : `Paid until ${dateOfDay(dues.paid_until)}`;
}

export function MemberDashboard({
  profile,
  customer,
  pours,
  household,
  has_free_seat,
  dues,
  ends,
  children,
}: MemberDashboardProps) {
  const isForTwo = household !== null || has_free_seat;
  return (
    <DashboardColumns
      tall={isForTwo}
      card={
        <>
          <Link to="/qr-code" className="flex grow rounded-xl">
            <OwnCard {...{ profile, customer, household, dues, ends }} />
          </Link>
          <LinkButton
            to="/qr-code"
            size="lg"
            block
            // Without access, as during a pause, the page has no code to show.
            variant={pours?.access === false ? 'secondary' : 'primary'}
            icon={<QrCode size={22} aria-hidden="true" />}
          >
            Show QR Code
          </LinkButton>
        </>
      }
      glasses={
        <>
          <Card title="Pours Remaining" className="grow" aside={<TierBadge tier={customer.tier} />}>
            {pours && <Pours {...{ pours, household, dues, ends }} />}
          </Card>
          {isForTwo && (
            <Suspense fallback={null}>
              <HouseholdPanel />
            </Suspense>
          )}
          <div className="grid gap-3 min-[22rem]:grid-cols-2">
            <LinkButton
              to="/pours"
              variant="secondary"
              className="lg:min-h-13"
              icon={<Wine size={20} aria-hidden="true" className="hidden min-[26rem]:block" />}
            >
              View History
            </LinkButton>
            <LinkButton
              to="/account"
              variant="secondary"
              className="lg:min-h-13"
              icon={<Settings2 size={20} aria-hidden="true" className="hidden min-[26rem]:block" />}
            >
              Account
            </LinkButton>
          </div>
        </>
      }
    >
      {children}
    </DashboardColumns>
  );
}

function poursNote(resetsAt: number, end: string | number | null, pause: Pause | null, isPartner: boolean) {
  if (pause?.begun) return pause.until === null ? 'Paused' : `Paused until ${dateOfInstant(pause.until)}`;
  if (end !== null) return `Ends with ${isPartner ? 'the' : 'your'} membership on ${dateOfInstant(end)}`;
  return <ResetsNote>{dateOfInstant(resetsAt)}</ResetsNote>;
}

/** What an unpaid month changes; only the holder sees that it is not paid. */
function owedTexts({ pours_when_paid, carried_pours }: AvailablePours, isPartner: boolean) {
  return {
    toCome:
      pours_when_paid > 0 &&
      `${pours_when_paid} more once ${isPartner ? 'the membership is renewed' : 'this month’s payment goes through'}`,
    usedBefore:
      carried_pours > 0 && `${carried_pours} from ${isPartner ? 'an earlier month' : 'an unpaid month'}`,
  };
}

type PoursProps = Pick<MemberDashboardProps, 'household' | 'dues' | 'ends'> & { pours: AvailablePours };

function Pours({ pours, household, dues, ends }: PoursProps) {
  const subscription = useSubscription();
  const isPartner = household?.role === 'partner';
  // In the last month of a membership without a card no glasses return. One moment earlier, to get its last day.
  const over = ends && Date.parse(ends.ends_at) / 1000;
  const last = over !== null && over <= pours.resets_at ? over - 1 : null;
  const lastPeriodEnd = subscription?.cancel_at_period_end ? endOf(subscription) : null;
  const end = isPartner ? household.ends_at : subscription ? lastPeriodEnd : last;
  const pause = isPartner ? household.pause : (subscription?.pause ?? dues?.pause ?? null);
  return (
    <PoursMeter
      available={pours.available_pours}
      max={pours.tier_max}
      used={pours.pours_used}
      usedRolledOver={rolledOverUsed(pours)}
      held={pours.held_pours}
      from={grantsText(pours.grants, { dayOf: calendarDay, hidesPayment: isPartner })}
      {...owedTexts(pours, isPartner)}
      note={poursNote(pours.resets_at, end, pause, isPartner)}
    />
  );
}
