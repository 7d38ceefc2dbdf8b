import { isEnded, type SubscriptionState } from '../standing.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Looked extends SubscriptionState {
  /** The bank's deadline for a change of tier. */
  approval_until: Date | null;
}

/**
 * When a subscription is compared with Stripe again at the latest, after a look at `now`; null once it has ended. Webhooks
 * usually come first (docs/rules/billing.md, "Billing: what happens when"). `is_unpaid`: its running period's charge is open.
 */
export function lookAgainAt(state: Looked, { is_unpaid }: { is_unpaid: boolean }, now: Date): Date | null {
  if (isEnded(state.status)) return null;
  const { current_period_end, grace_until, cancel_at, approval_until, paused_from, paused_until } = state;
  const instants = [current_period_end, grace_until, cancel_at, approval_until, paused_from, paused_until];
  const next = instants.filter((it) => it != null && it > now) as Date[];
  // While Stripe has stopped it, no new period begins.
  const isStopped = paused_from != null && paused_until == null;
  const isRenewing = current_period_end <= now && !isStopped;
  // The member gets all of a period's glasses only once it is paid, and a new payment method pays before grace ends.
  const isHourly = isRenewing || is_unpaid || state.status === 'past_due';
  const isPaid = state.status === 'active' || state.status === 'trialing';
  const wait = isHourly ? HOUR_MS : isPaid ? 7 * DAY_MS : DAY_MS;
  return new Date(Math.min(now.getTime() + wait, ...next.map((it) => it.getTime())));
}
