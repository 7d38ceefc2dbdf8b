import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '../../../contract/functions.ts';
import type { DuesNow, OwnEnd, OwnHousehold } from '../../../contract/members.ts';
import { isEnded } from '../../../domain/standing.ts';
import { orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay, dateOfInstant } from '../../format/dates.ts';

/**
 * The end of a running subscription, in seconds since 1970; null if it continues or has ended. With `cancel_at_period_end`
 * no further month is charged; otherwise it renews until then.
 */
export function endOf(it: Subscription): number | null {
  if (isEnded(it.status)) return null;
  return it.ends_at ?? (it.cancel_at_period_end ? it.current_period_end : null);
}

/** The signed-in member's card subscription; null while loading, and for a membership billed at the venue. */
export function useSubscription(): Subscription | null {
  const { data } = useQuery(orpc.functions.getSubscriptionDetails.queryOptions({ input: {} }));
  return data?.subscription ?? null;
}

/** A pause, in seconds for a member's own subscription, or in ISO 8601 for a household's. */
export type Pause = NonNullable<Subscription['pause'] | OwnHousehold['pause']>;

/** The change in words for a card: 'Ends 12/14/2026'. Partners see the household's; without a card, the membership's own. */
export function useUpcomingChange(
  household: OwnHousehold | null | undefined,
  ends: OwnEnd | null | undefined,
  dues?: DuesNow | null,
): string | undefined {
  const subscription = useSubscription();
  const tierLabel = useTierLabel();
  if (household?.role === 'partner') return changeOf(household.ends_at, household.pause);
  if (ends?.then_by_card) return `By card from ${dateOfInstant(ends.ends_at)}`;
  if (ends) {
    const what = ends.is_gift ? 'A gift through' : ends.on_the_house ? 'On the house through' : 'Last day';
    return `${what} ${dateOfDay(ends.last_day)}`;
  }
  if (!subscription) {
    const pending = dues?.pending_tier;
    const change = changeOf(null, dues?.pause ?? null);
    return change ?? (pending ? `${tierLabel(pending.tier)} from ${dateOfDay(pending.from)}` : undefined);
  }
  const { pending_tier, year_from } = subscription;
  if (year_from) return `A year from ${dateOfInstant(year_from)}`;
  const change = changeOf(endOf(subscription), subscription.pause);
  if (change) return change;
  return pending_tier
    ? `${tierLabel(pending_tier.tier)} from ${dateOfInstant(pending_tier.from)}`
    : undefined;
}

function changeOf(end: string | number | null, pause: Pause | null): string | undefined {
  if (end !== null) return `Ends ${dateOfInstant(end)}`;
  if (pause && !pause.begun) return `Paused from ${dateOfInstant(pause.from)}`;
  if (pause) return pause.until === null ? 'Paused' : `Paused until ${dateOfInstant(pause.until)}`;
  return undefined;
}
