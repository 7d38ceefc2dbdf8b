import type { Site } from '../../../contract/site.ts';
import { hourAt, localDate, monthName } from '../../../domain/calendar.ts';
import { dashboardView, greeting } from '../../../domain/dashboard.ts';
import { grantsText } from '../../../domain/membership/grants-text.ts';
import { MAX_GLASSES_IN_ROW, MAX_LARGE_GLASSES } from '../../../domain/pour.ts';
import { TIER_LOOKS, tierLabel, tierLook } from '../../../domain/tiers.ts';
import type { PageFacts } from '../session-endpoint.ts';
import type { FrameValues } from './frame-html.ts';

/** The values of parts of class names: the build includes the styles of each. */
export const CLASS_PARTS = { TIER: TIER_LOOKS, GLASS: [9, 7] } as const;

/**
 * What src/web/member/dashboard/dashboard-frame.html says of a member; null where the page may look otherwise, as with a
 * notice above the card. The venue's clock stands in for the phone's in the greeting.
 */
export function dashboardFrame({ own, body }: PageFacts, site: Site): FrameValues | null {
  if (!own || !isPlain(own.membership)) return null;
  if (site.verify_email !== 'off' && body.user?.email_verified === false) return null;
  const { profile, customer, pours, household } = own.membership;
  if (!customer || !pours || pours.tier_max < 1) return null;
  const { available_pours, tier_max, pours_used, grants } = pours;
  const row = Math.max(available_pours, tier_max);
  if (row > MAX_GLASSES_IN_ROW) return null;
  const full = Math.max(0, available_pours);
  const from = grantsText(grants, {
    dayOf: (instant) => localDate(instant, site.time_zone),
    hidesPayment: household?.role === 'partner',
  });
  const isDated = grants.some(({ kind }) => kind === 'rollover');
  return {
    GREETING: greeting(profile.first_name, hourAt(own.at, site.time_zone)),
    NAME: `${profile.first_name} ${profile.last_name}`,
    MEMBER_SINCE: monthName(customer.member_since),
    TIER_LABEL: tierLabel(customer.tier),
    TIER: tierLook(customer.tier),
    AVAILABLE: available_pours,
    MAX: tier_max,
    USED: pours_used,
    SHARE: Math.min(1, full / tier_max) * 100,
    GLASS: CLASS_PARTS.GLASS[row <= MAX_LARGE_GLASSES ? 0 : 1],
    FULL: full,
    EMPTY: row - full,
    GLASSES: row,
    FROM: from,
    UNDATED: from && !isDated ? 1 : 0,
    DATED: isDated ? 1 : 0,
  };
}

/** Whether the page shows the card and the glasses, nothing above them, and the usual note. */
function isPlain(membership: NonNullable<PageFacts['own']>['membership']): boolean {
  const { pours, household, ends, consent_due, decision, celebrations } = membership;
  if (dashboardView(membership) !== 'member' || consent_due || decision || celebrations.length > 0)
    return false;
  const changes = ends ?? household?.pause ?? household?.ends_at ?? null;
  return (
    changes === null && pours?.access === true && pours.pours_when_paid === 0 && pours.carried_pours === 0
  );
}
