import type { FrameInput } from '../../../contract/page-frame.ts';
import { hourAt, localDate } from '../../../domain/calendar.ts';
import { dashboardView, greeting } from '../../../domain/dashboard.ts';
import { grantsText, rolledOverUsed } from '../../../domain/membership/grants-text.ts';
import { MAX_GLASSES_IN_ROW } from '../../../domain/pour.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { MembershipCard } from '../../brand/membership-card.tsx';
import { NavBrand } from '../../brand/nav-brand.tsx';
import { PoursMeter, poursInAll } from '../../brand/pours-meter.tsx';
import { TierMark } from '../../brand/tier-mark.tsx';
import { dateOfDay, monthOfDay } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { NavBar } from '../../ui/nav-bar.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DashboardColumns, ResetsNote } from './dashboard-columns.tsx';

/** Null if the page may look different, as with a notice. Times are the venue's: members are nearly always near it. */
export function dashboardFrame({ site, user, own }: FrameInput) {
  if (!own || !isPlain(own.membership, site)) return null;
  if (site.verify_email !== 'off' && user?.email_verified === false) return null;
  const { profile, customer, pours, household, has_free_seat } = own.membership;
  const isForTwo = household !== null || has_free_seat;
  if (!customer || !pours || pours.tier_max < 1) return null;
  const { available_pours: available, tier_max: max, pours_used: used, held_pours: held, grants } = pours;
  if (poursInAll(available, used, held, max) > MAX_GLASSES_IN_ROW) return null;
  const label = tierLabel(customer.tier);
  const dayOf = (instant: Date) => localDate(instant, site.time_zone);
  return (
    <>
      <NavBar items={null} brand={<NavBrand />} />
      <div className="nav-page">
        <PageShell
          title="Dashboard"
          width="wide"
          eyebrow={site.club_name}
          heading={greeting(profile.first_name, hourAt(own.at, site.time_zone))}
          back={null}
        >
          <DashboardColumns
            tall={isForTwo}
            card={
              <>
                <div className="flex grow rounded-xl">
                  <MembershipCard
                    name={`${profile.first_name} ${profile.last_name}`}
                    tier={customer.tier}
                    tierLabel={label}
                    memberSince={monthOfDay(customer.member_since)}
                  />
                </div>
                {/* A placeholder the size of the button for the code, which would not work yet. */}
                <Skeleton className="min-h-13" />
              </>
            }
            glasses={
              <>
                <Card
                  title="Pours Remaining"
                  className="grow"
                  aside={<TierMark tier={customer.tier} label={label} />}
                >
                  <PoursMeter
                    {...{ available, max, used, held }}
                    usedRolledOver={rolledOverUsed(pours)}
                    from={grantsText(grants, { dayOf, hidesPayment: household?.role === 'partner' })}
                    note={<ResetsNote>{dateOfDay(dayOf(new Date(pours.resets_at * 1000)))}</ResetsNote>}
                  />
                </Card>
                {!isForTwo && <Skeleton className="min-h-11 lg:min-h-13" />}
              </>
            }
          />
        </PageShell>
      </div>
    </>
  );
}

/** Whether the page shows only the card, the glasses and the usual note. */
function isPlain(
  membership: NonNullable<FrameInput['own']>['membership'],
  { payments }: FrameInput['site'],
): boolean {
  const { pours, household, ends, consent_due, decision, celebrations } = membership;
  if (dashboardView(membership, payments) !== 'member' || consent_due || decision || celebrations.length > 0)
    return false;
  const changes = ends ?? household?.pause ?? household?.ends_at ?? null;
  return (
    changes === null && pours?.access === true && pours.pours_when_paid === 0 && pours.carried_pours === 0
  );
}
