import type { Db } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';

export interface BillingBacklog {
  /** Stored events that are not processed yet; the sweeper retries them. */
  open_events: number;
  oldest_open_event_at: Date | null;
  /** When Stripe last sent an event that we handle. */
  last_event_at: Date | null;
  /** Whether any member pays by card, so that events are expected. */
  has_subscriptions: boolean;
  /** Payments that must be refunded and have not been yet. */
  open_reversals: number;
  /** Notices that staff must settle by hand. */
  open_notices: number;
  /** When the newest open notice about a disputed payment was made; disputes that the club won do not count. */
  disputed_at: Date | null;
}

type Instant = 'oldest_open_event_at' | 'last_event_at' | 'disputed_at';
type Row = Omit<BillingBacklog, Instant> & Record<Instant, number | null>;

const instant = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

/** Reads the backlog. Indexes answer every part, so it is cheap enough to call often. */
export async function readBillingBacklog(db: Db): Promise<BillingBacklog> {
  const [row] = await rowsOf<Row>(
    db,
    sql`select
      (select count(*)::integer from stripe_event where processed_at is null) as open_events,
      (select extract(epoch from min(received_at))::float8 from stripe_event where processed_at is null)
        as oldest_open_event_at,
      (select extract(epoch from max(received_at))::float8 from stripe_event) as last_event_at,
      exists(select from billing_subscription where status not in ('canceled', 'incomplete_expired'))
        as has_subscriptions,
      (select count(*)::integer from billing_reversal r where done_at is null
          and not exists (select from billing_refund f where f.user_id = r.user_id and f.status = 'asked'))
        + (select count(*)::integer from billing_refund where status = 'asked') as open_reversals,
      (select count(*)::integer from staff_notice where settled_at is null) as open_notices,
      (select extract(epoch from max(created_at))::float8 from staff_notice
        where settled_at is null and kind = 'payment_disputed' and facts->>'state' <> 'won') as disputed_at`,
  );
  if (!row) throw new Error('A select without FROM returned no row');
  return {
    ...row,
    oldest_open_event_at: instant(row.oldest_open_event_at),
    last_event_at: instant(row.last_event_at),
    disputed_at: instant(row.disputed_at),
  };
}
