import { eq, type SQL, sql } from 'drizzle-orm';
import type { TimelineEntry } from '../../../contract/staff/member-record.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { rowsOf } from '../../db/results.ts';
import { customers } from '../../db/schema.ts';
import { decodeCursor, encodeCursor, isInstant } from '../../platform/cursor.ts';
import { isoInstant } from '../../platform/sql-text.ts';
import type { MembershipContext } from '../membership-context.ts';

const PAGE = 30;

interface Source {
  kind: TimelineEntry['kind'];
  from: SQL;
  at: SQL;
  id: SQL;
  /** The id of the staff member, if one did it. */
  by?: SQL;
  tier?: SQL;
  glasses?: SQL;
  location?: SQL;
  cents?: SQL;
  currency?: SQL;
  text?: SQL;
}

/** Where each kind of entry is read: of one member, whose rows an index finds. */
function sourcesOf(customer: { id: string; user_id: string }, zone: string): Source[] {
  const id = sql`${customer.id}::uuid`;
  const user = sql`${customer.user_id}::uuid`;
  const dayBegins = (day: SQL) => sql`(${day}::timestamp at time zone ${zone})`;
  return [
    {
      kind: 'joined',
      from: sql`memberships x where x.customer_id = ${id}`,
      at: dayBegins(sql`x.start_date`),
      id: sql`x.id::text`,
      // Who imported a membership did not begin it.
      by: sql`case when x.counted_from is null then x.recorded_by_staff_id end`,
      tier: sql`x.tier`,
      text: sql`case when x.is_gift then 'A gift' when x.counted_from is not null then 'From an import' end`,
    },
    {
      kind: 'ended',
      from: sql`memberships x where x.customer_id = ${id} and x.end_date is not null`,
      at: dayBegins(sql`x.end_date`),
      id: sql`x.id::text`,
      tier: sql`x.tier`,
      text: sql`case when x.is_gift then 'A gift' end`,
    },
    {
      kind: 'changed_tier',
      from: sql`allowance_change x where x.customer_id = ${id}`,
      at: sql`x.prorated_at`,
      id: sql`x.id::text`,
      tier: sql`x.to_tier`,
      glasses: sql`x.glasses`,
    },
    {
      kind: 'paid',
      from: sql`billing_payment x where x.user_id = ${user}`,
      at: sql`x.created_at`,
      id: sql`x.stripe_invoice_id`,
      // Less what was given back without an entry of its own: by a reversal, or at Stripe.
      cents: sql`x.amount_paid_cents - greatest(0, x.amount_refunded_cents
                   - (select coalesce(sum(r.refunded_cents), 0) from billing_refund r
                       where r.stripe_invoice_id = x.stripe_invoice_id))::integer`,
      currency: sql`x.currency`,
    },
    {
      kind: 'refunded',
      from: sql`billing_refund x where x.user_id = ${user} and x.status = 'done'`,
      at: sql`x.settled_at`,
      id: sql`x.id::text`,
      by: sql`x.asked_by_staff_id`,
      cents: sql`x.refunded_cents`,
      currency: sql`x.currency`,
      text: sql`x.reason`,
    },
    {
      kind: 'poured',
      from: sql`pours x where x.customer_id = ${id}`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`x.recorded_by_staff_id`,
      glasses: sql`x.quantity`,
      location: sql`coalesce(x.place_name, x.location)`,
      text: sql`x.notes`,
    },
    {
      kind: 'voided',
      from: sql`pour_voids x join pours p on p.id = x.pour_id where p.customer_id = ${id}`,
      at: sql`x.created_at`,
      id: sql`x.pour_id::text`,
      by: sql`x.voided_by_staff_id`,
      glasses: sql`p.quantity`,
      text: sql`x.reason`,
    },
    {
      kind: 'given',
      from: sql`allowance_gift x where x.customer_id = ${id}`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`x.given_by_staff_id`,
      glasses: sql`x.glasses`,
      text: sql`x.reason`,
    },
    ...ofDisputes(user),
    ...ofGifts(user),
    {
      kind: 'rolled_over',
      from: sql`allowance_rollover x where x.customer_id = ${id}`,
      at: sql`x.period_starts_at`,
      // One of a period.
      id: sql`extract(epoch from x.period_starts_at)::text`,
      glasses: sql`x.glasses`,
    },
    {
      kind: 'emailed',
      from: sql`outbox_email x where x.user_id = ${user} and x.sent_at is not null`,
      at: sql`x.sent_at`,
      id: sql`x.id::text`,
      text: sql`nullif(x.subject, '')`,
    },
    {
      kind: 'noted',
      from: sql`member_note x join member_note_version v on v.note_id = x.id
                 where x.customer_id = ${id} and x.removed_at is null
                   and not exists (select from member_note_version l where l.note_id = x.id and l.version > v.version)`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`v.written_by_staff_id`,
      text: sql`v.body`,
    },
  ];
}

/** Payments that the member's bank disputed, and what it decided. */
function ofDisputes(user: SQL): Source[] {
  const dispute = { id: sql`x.stripe_dispute_id`, cents: sql`x.dispute_cents`, currency: sql`x.currency` };
  const settled = (state: 'won' | 'lost') => ({
    ...dispute,
    from: sql`billing_payment x where x.user_id = ${user} and x.dispute_state = ${state}`,
    at: sql`x.dispute_settled_at`,
  });
  return [
    {
      ...dispute,
      kind: 'disputed',
      from: sql`billing_payment x where x.user_id = ${user} and x.disputed_at is not null`,
      at: sql`x.disputed_at`,
    },
    { ...settled('won'), kind: 'dispute_won' },
    { ...settled('lost'), kind: 'dispute_lost' },
  ];
}

/** Memberships that a member bought for others. For whom is none of the staff's business. */
function ofGifts(buyer: SQL): Source[] {
  const gift = {
    id: sql`x.id::text`,
    tier: sql`x.tier`,
    text: sql`x.months || ' months'`,
  };
  return [
    {
      ...gift,
      kind: 'gift_bought',
      from: sql`gift_membership x where x.buyer_id = ${buyer} and x.paid_at is not null`,
      at: sql`x.paid_at`,
      // Less what was given back without an entry of its own: a part of it, at Stripe.
      cents: sql`x.paid_cents - case when x.refunded_at is null then x.refunded_cents else 0 end`,
      currency: sql`x.currency`,
    },
    {
      ...gift,
      kind: 'gift_redeemed',
      from: sql`gift_membership x where x.buyer_id = ${buyer} and x.redeemed_at is not null`,
      at: sql`x.redeemed_at`,
    },
    {
      ...gift,
      kind: 'gift_refunded',
      from: sql`gift_membership x where x.buyer_id = ${buyer} and x.refunded_at is not null`,
      at: sql`x.refunded_at`,
      by: sql`x.refunded_by_staff_id`,
      cents: sql`x.refunded_cents`,
      currency: sql`x.currency`,
    },
  ];
}

const none = sql`null`;

/** The newest of one source at or after the position, as the union needs its columns. */
function newestOf(source: Source, after: SQL, limit: number): SQL {
  const { kind, from, at, id, by, tier, glasses, location, cents, currency, text } = source;
  return sql`(select ${kind}::text as kind, ${at} as at, ${id} as id, ${by ?? none}::uuid as by_id, ${tier ?? none}::text as tier,
                     ${glasses ?? none}::integer as glasses, ${location ?? none}::text as location,
                     ${cents ?? none}::integer as cents, ${currency ?? none}::text as currency, ${text ?? none}::text as text
                from ${from} and (${at}, ${kind}::text collate "C", ${id} collate "C") < ${after}
               order by ${at} desc, ${id} collate "C" desc limit ${limit}::integer)`;
}

interface Row extends Omit<TimelineEntry, 'amount'> {
  cents: number | null;
  currency: string | null;
  /** With all its digits, for the cursor. */
  exact: string;
}

/**
 * What happened to a member, newest first, a page at a time, each entry from the row that records it. Throws Refusal
 * NOT_FOUND.
 */
export async function listTimeline(
  { db, timeZone }: MembershipContext,
  { customer_id, cursor }: { customer_id: string; cursor?: string },
  size = PAGE,
): Promise<{ entries: TimelineEntry[]; next_cursor: string | null }> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, customer_id));
  if (!customer) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const [at, kind, id] = decodeCursor(cursor, isInstant, isShort, isShort) ?? [];
  const after = at
    ? sql`(${at}::timestamptz, ${kind}::text, ${id}::text)`
    : sql`('infinity'::timestamptz, ''::text, ''::text)`;
  const sources = sourcesOf(customer, timeZone).map((source) => newestOf(source, after, size + 1));
  const rows = await rowsOf<Row>(
    db,
    sql`select t.kind, t.id, ${isoInstant(sql`t.at`)} as at,
               to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact,
               trim(p.first_name || ' ' || p.last_name) as by, t.tier, t.glasses, t.location, t.cents, t.currency, t.text
          from (${sql.join(sources, sql` union all `)}) t left join profiles p on p.id = t.by_id
         order by t.at desc, t.kind collate "C" desc, t.id collate "C" desc limit ${size + 1}::integer`,
  );
  const entries = rows.slice(0, size);
  const last = rows.length > size ? entries.at(-1) : undefined;
  return {
    entries: entries.map(({ cents, currency, exact: _, ...entry }) => ({
      ...entry,
      amount: cents !== null && currency ? { cents, currency } : null,
    })),
    next_cursor: last ? encodeCursor(last.exact, last.kind, last.id) : null,
  };
}

const isShort = (part: string) => part.length <= 100;
