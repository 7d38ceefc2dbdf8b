import type { BarCard, DuesNow } from '../../contract/members.ts';
import { titleCaseLocation } from '../../domain/club/places.ts';
import { dateOfDay, dateOfInstant, timeOfDay } from './dates.ts';
import { duesPrice } from './money.ts';

type LostAccess = Pick<BarCard, 'standing' | 'no_access_since'>;

/** Why a member has no glasses, to complete a sentence: 'membership ended on 11/3/2026'. Null if they have access. */
export function noAccessReason({ standing, no_access_since }: LostAccess): string | null {
  const day = no_access_since && dateOfDay(no_access_since);
  switch (standing) {
    case 'paused':
      return day ? `paused since ${day}` : 'paused';
    case 'suspended':
      return day ? `payment due since ${day}` : 'payment due';
    case 'ended':
      return day ? `membership ended on ${day}` : 'membership ended';
    case 'inactive':
      return day ? `membership ended on ${day}` : 'no membership';
    case 'unknown':
      return 'unknown status';
    default:
      return null;
  }
}

/** Dues that are to be paid now; null if they are not. */
function unpaidLabel({ state, paid_until, price_cents }: DuesNow) {
  if (state !== 'due' && state !== 'overdue') return null;
  const when = state === 'due' ? 'Pays tonight' : `Overdue since ${dateOfDay(paid_until)}`;
  return { tone: 'warning', text: `${when}: ${duesPrice(price_cents)}` } as const;
}

function withoutCard({ gift, house, dues }: BarCard): string {
  if (gift) return 'a gift';
  if (house) return 'on the house';
  return dues?.is_year ? 'paid for a year' : 'billed here';
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function standingLabel(bar: BarCard): { tone: 'positive' | 'warning' | 'danger'; text: string } {
  const { standing, grace_until, ends_at, pours_when_paid } = bar;
  const reason = noAccessReason(bar);
  // At the bar the end of the pause matters, not its start.
  if (standing === 'paused' && bar.pours_return_on)
    return { tone: 'danger', text: `Paused until ${dateOfDay(bar.pours_return_on)}` };
  if (reason) return { tone: 'danger', text: capitalized(reason) };
  switch (standing) {
    case 'active':
      // Right after a renewal, the period gives only a share of its glasses until the charge goes through.
      return { tone: 'positive', text: pours_when_paid > 0 ? 'Active, payment pending' : 'Active' };
    case 'venue':
      return (bar.dues && unpaidLabel(bar.dues)) ?? { tone: 'positive', text: `Active, ${withoutCard(bar)}` };
    case 'ending':
      return { tone: 'warning', text: ends_at ? `Ends ${dateOfInstant(ends_at)}` : 'Ending' };
    case 'grace': {
      const until = grace_until ? ` until ${dateOfInstant(grace_until)}` : '';
      return { tone: 'warning', text: `Payment failed, OK${until}` };
    }
    default:
      return { tone: 'danger', text: 'Unknown status' };
  }
}

type ReturningPours = Pick<BarCard, 'standing' | 'no_access_since' | 'pours_return_on' | 'ends_at'> & {
  pours_when_paid?: number;
};

/** When a member without glasses has some again: 'New pours on 12/21/2026'. */
export function poursReturnText(member: ReturningPours): string {
  const reason = noAccessReason(member);
  const back = member.pours_return_on && `, back on ${dateOfDay(member.pours_return_on)}`;
  if (reason) return `${capitalized(reason)}${back ?? ''}`;
  if (member.pours_return_on) return `New pours on ${dateOfDay(member.pours_return_on)}`;
  return member.standing === 'ending'
    ? 'No more before this membership ends'
    : 'New pours once this month’s payment goes through';
}

const midnight = (instant: Date) => new Date(instant).setHours(0, 0, 0, 0);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** 'Today', 'Yesterday', '5 days ago' or '3/4/2026', in local time; 'First visit' without a timestamp. */
export function lastVisitLabel(timestamp: string | null, now: Date): string {
  if (!timestamp) return 'First visit';
  const day = new Date(timestamp);
  // Rounded, because a day with a clock change is an hour longer or shorter.
  const days = Math.round((midnight(now) - midnight(day)) / DAY_MS);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? `${days} days ago` : dateOfInstant(timestamp);
}

/** A pour within these minutes may be the one that staff are about to record again. */
const RECENT_MINUTES = 5;

/**
 * '7:05 PM, 2 at Main Bar' for today, '3 days ago, 2 at Main Bar' for an earlier day. A recent pour is marked,
 * with its bartender: '4 min ago, 2 at Main Bar, by Noor Haddad'.
 */
export function lastPourLabel(pour: BarCard['last_pour'], now: Date): { text: string; recent: boolean } {
  if (!pour) return { text: 'None yet', recent: false };
  const poured = new Date(pour.created_at);
  const minutes = Math.max(0, Math.floor((now.getTime() - poured.getTime()) / MINUTE_MS));
  const glasses = `${pour.quantity} at ${titleCaseLocation(pour.location)}`;
  if (minutes < RECENT_MINUTES) {
    const when = minutes === 0 ? 'Just now' : `${minutes} min ago`;
    return { text: `${when}, ${glasses}, by ${pour.recorded_by}`, recent: true };
  }
  const day = lastVisitLabel(pour.created_at, now);
  return { text: `${day === 'Today' ? timeOfDay(poured) : day}, ${glasses}`, recent: false };
}
