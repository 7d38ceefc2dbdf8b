import type { BarCard } from '../../contract/members.ts';
import { pourCount, titleCaseLocation } from '../../domain/pour.ts';
import type { NoticeTone } from '../ui/notice.tsx';
import { dateOfInstant } from './dates.ts';

interface StandingMark {
  tone: Extract<NoticeTone, 'positive' | 'warning' | 'danger'>;
  words: string;
}

/** What staff must know of a membership before they pour. */
export function standingMark({ standing, grace_until, ends_at, pours_when_paid }: BarCard): StandingMark {
  switch (standing) {
    case 'active':
      // Right after a renewal, the period gives only a share of its glasses until the charge goes through.
      return { tone: 'positive', words: pours_when_paid > 0 ? 'Active, payment pending' : 'Active' };
    case 'venue':
      return { tone: 'positive', words: 'Active, billed here' };
    case 'ending':
      return { tone: 'warning', words: ends_at ? `Ends ${dateOfInstant(ends_at)}` : 'Ending' };
    case 'grace': {
      const until = grace_until ? ` until ${dateOfInstant(grace_until)}` : '';
      return { tone: 'warning', words: `Payment failed, pours${until}` };
    }
    case 'suspended':
      return { tone: 'danger', words: 'Waiting for a payment' };
    case 'ended':
      return { tone: 'danger', words: 'Membership ended' };
    case 'inactive':
      return { tone: 'danger', words: 'No membership' };
    case 'unknown':
      return { tone: 'danger', words: 'Unclear, does not pour' };
  }
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const timeFormat = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

const midnight = (instant: Date) => new Date(instant).setHours(0, 0, 0, 0);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** 'Today', 'Yesterday', '5 days ago', 'Mar 4, 2026', where the reader is. */
export function visitDay(timestamp: string | null, now: Date): string {
  if (!timestamp) return 'First visit';
  const day = new Date(timestamp);
  // Days around a change of clocks are an hour longer or shorter.
  const days = Math.round((midnight(now) - midnight(day)) / DAY_MS);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? `${days} days ago` : dayFormat.format(day);
}

/** A glass so fresh that it may be the very one that is being asked for again. */
const FRESH_MINUTES = 5;

/** '2 pours, Main Bar, 7:05 PM'; a fresh one also says by whom. */
export function lastPourLabel(pour: BarCard['last_pour'], now: Date): { words: string; fresh: boolean } {
  if (!pour) return { words: 'None yet', fresh: false };
  const poured = new Date(pour.created_at);
  const minutes = Math.max(0, Math.floor((now.getTime() - poured.getTime()) / MINUTE_MS));
  const count = pourCount(pour.quantity);
  if (minutes >= FRESH_MINUTES) {
    const time = timeFormat.format(poured).replace('\u202f', ' ');
    return { words: `${count}, ${titleCaseLocation(pour.location)}, ${time}`, fresh: false };
  }
  const when = minutes === 0 ? 'just now' : `${minutes} min ago`;
  return { words: `${count}, ${when} by ${pour.recorded_by}`, fresh: true };
}
