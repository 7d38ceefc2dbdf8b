import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '../../../contract/functions.ts';
import { isEnded } from '../../../domain/standing.ts';
import { orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';

/** When a canceled subscription that still runs ends, in seconds since 1970; null if it renews or has ended. */
export function endOf({
  status,
  cancel_at_period_end,
  ends_at,
  current_period_end,
}: Subscription): number | null {
  return cancel_at_period_end && !isEnded(status) ? (ends_at ?? current_period_end) : null;
}

/** The signed-in member's card subscription; null while it loads, and for one billed at the venue. */
export function useSubscription(): Subscription | null {
  const { data } = useQuery(orpc.functions.getSubscriptionDetails.queryOptions({ input: {} }));
  return data?.subscription ?? null;
}

/** What changes at the end of the period, in words for a card: 'Ends 12/14/2026', 'Elite from 12/14/2026'. */
export function useUpcomingChange(): string | undefined {
  const subscription = useSubscription();
  const tierLabel = useTierLabel();
  if (!subscription) return undefined;
  const end = endOf(subscription);
  if (end !== null) return `Ends ${dateOfInstant(end)}`;
  const { pending_tier, pause } = subscription;
  if (pause && !pause.begun) return `Paused from ${dateOfInstant(pause.from)}`;
  if (pause) return pause.until === null ? 'Paused' : `Paused until ${dateOfInstant(pause.until)}`;
  return pending_tier
    ? `${tierLabel(pending_tier.tier)} from ${dateOfInstant(pending_tier.from)}`
    : undefined;
}
