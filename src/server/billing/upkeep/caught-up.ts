import type { StaffNoticeFacts } from '../../../contract/staff-notices.ts';
import type { Db } from '../../db/client.ts';
import { and, asc, desc, eq, gt, inArray, lte, sql } from '../../db/orm.ts';
import { billing_customer, staff_notice, stripe_event } from '../../db/schema.ts';
import { postStaffNotice, updateStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingContext, BillingDeps } from '../billing-context.ts';
import type { StoredEvent } from './webhook.ts';

/** An event of Stripe's list whose webhook did not come, or was processed late. */
export interface MissedEvent extends StoredEvent {
  type: string;
  created_at: Date;
  /** The webhook came, but was processed late. */
  is_stored: boolean;
  /** The invoice of a renewal. */
  is_renewal: boolean;
}

type Facts = StaffNoticeFacts['caught_up'];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Stripe sends an event again after minutes and hours; one that was not processed by then counts as missed. */
export const LATE_MS = 6 * HOUR;
/** Webhooks that were processed on time for this long end a gap. */
const GAP_ENDS_MS = 1.25 * DAY;
/** Stripe lists events for 30 days, so an older gap could not be counted again. */
const COUNTED_MS = 29 * DAY;

interface Gap {
  cause: string;
  facts: Facts;
  isOpen: boolean;
}

async function lastGap({ db, now }: BillingDeps): Promise<Gap | null> {
  const [row] = await db
    .select()
    .from(staff_notice)
    .where(eq(staff_notice.kind, 'caught_up'))
    .orderBy(desc(staff_notice.created_at), desc(staff_notice.cause))
    .limit(1);
  if (!row) return null;
  const facts = row.facts as Facts;
  const age = (instant: Date) => now().getTime() - instant.getTime();
  const ended = (await firstOnTime(db, new Date(facts.to))) ?? now();
  const isOpen = !row.settled_at && age(new Date(facts.from)) < COUNTED_MS && age(ended) < GAP_ENDS_MS;
  return { cause: row.cause, facts, isOpen };
}

/** When the first event after an instant that was processed on time was created; null without one. */
async function firstOnTime(db: Db, instant: Date): Promise<Date | null> {
  const { created_at, received_at, processed_at } = stripe_event;
  const isOnTime = lte(processed_at, sql`${created_at} + ${LATE_MS} * interval '1 millisecond'`);
  const [row] = await db
    .select({ created_at })
    .from(stripe_event)
    .where(and(gt(received_at, instant), gt(created_at, instant), isOnTime))
    .orderBy(asc(created_at))
    .limit(1);
  return row?.created_at ?? null;
}

/** From when on missed events count: since a gap that is still open began, and otherwise after the last one. */
export async function startOfCount(deps: BillingDeps, from: Date): Promise<Date> {
  const gap = await lastGap(deps);
  if (!gap) return from;
  if (gap.isOpen) return new Date(gap.facts.from);
  return new Date(Math.max(from.getTime(), Date.parse(gap.facts.to) + 1000));
}

/**
 * Tells staff, in one notice for a gap, what happened at Stripe to our members without our hearing of it in time. `events`:
 * all since startOfCount, oldest first.
 */
export async function reportCaughtUp(ctx: BillingContext, events: MissedEvent[]): Promise<void> {
  const ours = await ofMembers(ctx, events);
  const [first, last] = [ours[0], ours.at(-1)];
  if (!first || !last) return;
  const gap = await lastGap(ctx);
  const count = (is: (event: MissedEvent) => boolean) => ours.filter(is).length;
  const facts: Facts = {
    from: first.created_at.toISOString(),
    to: last.created_at.toISOString(),
    members: new Set(ours.map(({ stripe_customer_id }) => stripe_customer_id)).size,
    renewals: count(({ type, is_renewal }) => type === 'invoice.paid' && is_renewal),
    ends: count(({ type }) => type === 'customer.subscription.deleted'),
    refunds: count(({ type }) => type === 'charge.refunded'),
    disputes: count(({ type }) => type === 'charge.dispute.created'),
  };
  ctx.log.warn({ ...facts }, 'Events of Stripe were processed late');
  if (gap?.isOpen) {
    const { cause } = gap;
    return updateStaffNotice(ctx.db, { cause, facts: wider(gap.facts, facts) }, { reopen: false });
  }
  const cause = `caught_up:${facts.from}`;
  await postStaffNotice(ctx.db, { kind: 'caught_up', cause, user_id: null, facts, at: ctx.now() });
}

/** Webhooks that come days late take nothing back that staff have read. */
function wider(before: Facts, after: Facts): Facts {
  const most = (of: Exclude<keyof Facts, 'from' | 'to'>) => Math.max(before[of], after[of]);
  return {
    from: before.from,
    to: before.to > after.to ? before.to : after.to,
    members: most('members'),
    renewals: most('renewals'),
    ends: most('ends'),
    refunds: most('refunds'),
    disputes: most('disputes'),
  };
}

/** The events about members' customers, without those from before we had them. */
async function ofMembers({ db }: BillingContext, events: MissedEvent[]): Promise<MissedEvent[]> {
  const customers = [...new Set(events.flatMap(({ stripe_customer_id }) => stripe_customer_id ?? []))];
  if (customers.length === 0) return [];
  const rows = await db
    .select({ id: billing_customer.stripe_customer_id, since: billing_customer.created_at })
    .from(billing_customer)
    .where(inArray(billing_customer.stripe_customer_id, customers));
  const since = new Map(rows.map((it) => [it.id, it.since]));
  return events.filter((it) => {
    const began = since.get(it.stripe_customer_id ?? '');
    return began && it.created_at >= began;
  });
}
