import type { InputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { Dues, memberDues } from '../../../contract/staff/dues.ts';
import { type LocalDate, localDate, startOfDay } from '../../../domain/calendar.ts';
import {
  type DuesMethod,
  type DuesMonths,
  type DuesObstacle,
  type DuesPrices,
  duesAmount,
  duesObstacle,
  duesPrices,
  duesState,
  duesUntil,
  monthBoundary,
  monthStart,
  nextMonthCents,
  nextMonthTier,
  type PaidMethod,
  YEAR_MONTHS,
} from '../../../domain/membership/dues.ts';
import type { VenuePause } from '../../../domain/membership/venue-pause.ts';
import { tierBackFrom } from '../../../domain/membership/year.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq, inArray, isNull, sql } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import { dues, dues_void, household_seat, memberships, profiles, tier_definitions } from '../../db/schema.ts';
import type { Actor } from '../../platform/actor.ts';
import { writeDueGrants } from '../../pours/due-grants.ts';
import { lockPool } from '../../pours/lock-pool.ts';
import { userOfMember } from '../../pours/member-user.ts';
import { readBankPayment } from '../../pours/pending-bank-payment.ts';
import type { PourContext } from '../../pours/pour-context.ts';
import { listDues } from './dues-list.ts';
import { offerTiersUp } from './tiers-up.ts';

// Rules: docs/rules/dues.md.

type Membership = typeof memberships.$inferSelect;
type Entry = typeof dues.$inferSelect;
export type PendingTier = NonNullable<ReturnType<typeof pendingTierOf>>;
type Payment = InputOf<typeof memberDues.record>;
export type DuesContext = PourContext & { currency: string };

function refuse(reason: DuesObstacle): never {
  throw new Refusal('DUES_REFUSED', { reason });
}

/** A member's dues, newest payment first; of a partner, the holder's. Throws Refusal NOT_FOUND. */
export async function getDues(ctx: DuesContext, { customer_id }: { customer_id: string }): Promise<Dues> {
  await userOfMember(ctx.db, customer_id);
  const [seat] = await ctx.db
    .select({ holder_id: household_seat.holder_id })
    .from(household_seat)
    .where(and(eq(household_seat.customer_id, customer_id), isNull(household_seat.ended_at)));
  return readDues(ctx, seat?.holder_id ?? customer_id);
}

/**
 * Records a payment at the venue for whole months after what is paid; a partner's is for the holder. A repeated `request_id`
 * changes nothing. Throws Refusal NOT_FOUND, DUES_REFUSED, REQUEST_ID_REUSED, BANK_PAYMENT_PENDING or, if someone has recorded
 * another one meanwhile, DUES_CHANGED.
 */
export async function recordDues(ctx: DuesContext, payment: Payment): Promise<Dues> {
  const refusals = { dues_request_id_unique: new Refusal('REQUEST_ID_REUSED') };
  const holder_id = await refusing(refusals, () =>
    ctx.db.transaction(async (tx) => {
      const customer_id = await lockHolder(tx, payment.customer_id);
      if (await earlierDues(tx, { ...payment, customer_id })) return customer_id;
      const membership = await countable(tx, customer_id);
      if (membership.paid_until !== payment.paid_until) throw await changedSince(tx, membership);
      const subject_id = await userOfMember(tx, customer_id);
      const pending = await readBankPayment(tx, subject_id);
      if (pending && !payment.beside_bank_payment) throw new Refusal('BANK_PAYMENT_PENDING', pending);
      const { dues_id } = await storePayment(ctx, tx, membership, { ...payment, by: ctx.actor });
      const { amount_cents, months } = payment;
      await recordAudit(tx, ctx, {
        act: 'dues_recorded',
        subject_id,
        facts: { dues_id, amount_cents, months },
      });
      return customer_id;
    }),
  );
  return readDues(ctx, holder_id);
}

/** Whether a request was stored before. Throws Refusal REQUEST_ID_REUSED. */
export async function earlierDues(
  tx: Tx,
  { request_id, customer_id, amount_cents }: Pick<Payment, 'request_id' | 'customer_id' | 'amount_cents'>,
): Promise<boolean> {
  const [earlier] = await tx.select().from(dues).where(eq(dues.request_id, request_id));
  if (!earlier) return false;
  if (earlier.customer_id === customer_id && earlier.amount_cents === amount_cents) return true;
  throw new Refusal('REQUEST_ID_REUSED');
}

/**
 * Counts a year that the member paid at Stripe, for the months after what is paid, of a membership whose pool is locked.
 * Throws Refusal DUES_REFUSED.
 */
export async function recordYear(
  ctx: CountContext,
  tx: Tx,
  membership_id: string,
  { reference, amount_cents }: { reference: string | null; amount_cents: number },
): Promise<{ dues_id: string; paid_from: LocalDate; paid_until: LocalDate }> {
  const [membership] = await tx.select().from(memberships).where(eq(memberships.id, membership_id));
  if (!membership) throw new Refusal('NOT_FOUND', { what: 'membership' });
  const payment = { request_id: ctx.newId(), reference, amount_cents };
  const year = { months: YEAR_MONTHS, method: 'online', by: null } as const;
  return storePayment(ctx, tx, membership, { ...payment, ...year });
}

/**
 * Takes months that have not begun off a year, or off the difference to a dearer tier in one, whose money went back: it is
 * voided, and a row for the months before takes its place (`rest_id`, null if none is left). The tier before the difference comes
 * back with the next month (`back`). Null if it was voided before.
 */
export async function shortenYear(
  ctx: CountContext,
  tx: Tx,
  of: { dues_id: string; unused: number; staff_id: string; reason: string | null },
): Promise<{ rest_id: string | null; back: PendingTier | null } | null> {
  const [year] = await tx.select().from(dues).where(eq(dues.id, of.dues_id));
  if (!year) return null;
  await lockHolder(tx, year.customer_id);
  const [membership] = await tx.select().from(memberships).where(eq(memberships.id, year.membership_id));
  const created_at = ctx.now();
  const row = { dues_id: year.id, reason: of.reason, voided_by_staff_id: of.staff_id, created_at };
  const stored = await tx.insert(dues_void).values(row).onConflictDoNothing().returning();
  if (!membership || stored.length === 0) return null;
  const months = year.months - of.unused;
  const id = months > 0 ? ctx.newId() : null;
  if (id) {
    const paid_until = duesUntil(membership.start_date, year.paid_from, months);
    const amount_cents = Math.round((year.amount_cents * months) / year.months);
    // Recorded when the year was, so that the same pauses move it.
    await tx.insert(dues).values({ ...year, id, request_id: ctx.newId(), months, amount_cents, paid_until });
  }
  await countDues(ctx, tx, membership, id ?? year.id);
  await noteTerm(tx, membership.id);
  const { start_date, paid_until } = membership;
  const from = paid_until && duesUntil(start_date, paid_until, -of.unused);
  return { rest_id: id, back: from ? await takeTierBack(tx, membership, year, from) : null };
}

/** Schedules the tier before a difference, whose months from a day on are given back, unless the membership has ended. */
async function takeTierBack(
  tx: Tx,
  { id, status }: Membership,
  { from_tier }: Entry,
  pending_from: LocalDate,
): Promise<PendingTier | null> {
  if (from_tier === null || status !== 'active') return null;
  const [tier] = await tx.select().from(tier_definitions).where(eq(tier_definitions.tier_name, from_tier));
  const pending = {
    ...{ pending_tier: from_tier, pending_from },
    pending_price_cents: tier?.monthly_price_cents ?? 0,
  };
  await tx.update(memberships).set(pending).where(eq(memberships.id, id));
  return pendingTierOf(pending);
}

/**
 * Records what a member paid for a dearer tier in the months that are left of their year. The pool is locked.
 * `membership`: as it was with the tier before.
 */
export async function recordDifference(
  ctx: CountContext,
  tx: Tx,
  membership: Membership,
  { by, ...paid }: Omit<StoredPayment, 'months' | 'paid_on'> & { months: number; tier: string },
): Promise<{ dues_id: string; paid_from: LocalDate; paid_until: LocalDate }> {
  const { id: membership_id, customer_id, start_date, paid_until, tier: from_tier } = membership;
  if (paid_until === null) throw new Error(`A year has no end: ${membership_id}`);
  const id = ctx.newId();
  const paid_from = duesUntil(start_date, paid_until, -paid.months);
  await tx.insert(dues).values({
    ...{ id, customer_id, membership_id, kind: 'difference', ...paid, from_tier },
    ...{ paid_on: localDate(ctx.now(), ctx.venue.time_zone), paid_from, paid_until },
    recorded_by_staff_id: by?.user_id ?? null,
    bar_device_id: by?.bar_device_id ?? null,
    created_at: ctx.now(),
  });
  await noteTerm(tx, membership_id);
  return { dues_id: id, paid_from, paid_until };
}

/** Tells the reports what a membership brings a month now, which the trigger on memberships cannot see. */
const noteTerm = (tx: Tx, membership_id: string) =>
  tx.execute(sql`select note_membership_term(${membership_id})`);

/** What counting needs. */
type CountContext = Pick<PourContext, 'now' | 'newId' | 'venue'> & {
  club: { current(): { grace_days: number } };
};

interface StoredPayment {
  request_id: string;
  reference: string | null;
  amount_cents: number;
  months: DuesMonths;
  method: PaidMethod | null;
  paid_on?: LocalDate | undefined;
  /** Null for a payment online. */
  by: Pick<Actor, 'user_id' | 'bar_device_id'> | null;
}

/** Stores a payment of a membership whose pool is locked. Throws Refusal DUES_REFUSED. */
async function storePayment(
  ctx: CountContext,
  tx: Tx,
  membership: Membership,
  { request_id, reference, amount_cents, months, method, by, ...payment }: StoredPayment,
): Promise<{ dues_id: string; paid_from: LocalDate; paid_until: LocalDate }> {
  const today = localDate(ctx.now(), ctx.venue.time_zone);
  const paid_on = payment.paid_on ?? today;
  // What Stripe took is no typing mistake.
  const obstacle = by && duesObstacle({ amount_cents, paid_on }, nextMonthCents(membership), today);
  if (obstacle) refuse(obstacle);
  const { start_date } = membership;
  // A membership that was not counted before is paid from its current month.
  const paid_from = membership.paid_until ?? monthStart(start_date, today);
  const paid_until = duesUntil(start_date, paid_from, months);
  if (membership.ends_on && paid_until > membership.ends_on) refuse('ending');
  const id = ctx.newId();
  await tx.insert(dues).values({
    id,
    request_id,
    customer_id: membership.customer_id,
    membership_id: membership.id,
    kind: 'payment',
    reference,
    amount_cents,
    months,
    method,
    paid_on,
    paid_from,
    paid_until,
    tier: nextMonthTier(membership),
    recorded_by_staff_id: by?.user_id ?? null,
    bar_device_id: by?.bar_device_id ?? null,
    created_at: ctx.now(),
  });
  await countDues(ctx, tx, membership, id);
  return { dues_id: id, paid_from, paid_until };
}

/** Without months, one; without an amount, the price of the months. */
interface FirstPayment {
  reference: string;
  months?: DuesMonths | undefined;
  amount_cents?: number | undefined;
  method?: DuesMethod | null | undefined;
}

/**
 * Records the payment with which a membership at the venue begins; the approval is its entry in the audit. A tier without a
 * price is not counted. The caller has just stored the membership. Throws Refusal DUES_REFUSED.
 */
export async function recordFirstDues(
  ctx: PourContext,
  tx: Tx,
  membership_id: string,
  { reference, months = 1, amount_cents, method = null }: FirstPayment,
): Promise<void> {
  const [membership] = await tx.select().from(memberships).where(eq(memberships.id, membership_id));
  if (!membership || membership.monthly_price_cents === 0) return;
  await storePayment(ctx, tx, membership, {
    request_id: ctx.newId(),
    reference,
    months,
    method,
    by: ctx.actor,
    amount_cents: amount_cents ?? duesAmount(await duesPricesOf(tx, membership), months),
  });
}

/**
 * Voids a payment, also of a membership that has ended since. What was poured stays poured, and is owed if its month is unpaid
 * now. Of a difference, the tier before comes back, which `onTierBack` hears of. Throws Refusal NOT_FOUND, DUES_REFUSED,
 * TIER_CHANGE_REFUSED.
 */
export async function voidDues(
  ctx: DuesContext,
  { id, reason }: InputOf<typeof memberDues.void>,
  onTierBack: (tx: Tx, user_id: string, back: PendingTier) => Promise<void>,
): Promise<Dues> {
  const [entry] = await ctx.db.select().from(dues).where(eq(dues.id, id));
  if (entry?.kind !== 'payment' && entry?.kind !== 'difference')
    throw new Refusal('NOT_FOUND', { what: 'payment' });
  const { customer_id, membership_id, amount_cents } = entry;
  await ctx.db.transaction(async (tx) => {
    await lockHolder(tx, customer_id);
    const [membership] = await tx.select().from(memberships).where(eq(memberships.id, membership_id));
    if (!membership || !isCountable(membership)) refuse('by_card');
    if (entry.method === 'online') refuse('online');
    if (await hasDifference(tx, entry)) refuse('difference');
    const back_from = await tierBackDay(ctx, tx, membership, entry);
    const row = { dues_id: id, reason, voided_by_staff_id: ctx.actor.user_id, created_at: ctx.now() };
    const stored = await tx.insert(dues_void).values(row).onConflictDoNothing().returning();
    if (stored.length === 0) refuse('voided');
    await countDues(ctx, tx, membership, id);
    if (entry.kind === 'difference') await noteTerm(tx, membership_id);
    const subject_id = await userOfMember(tx, customer_id);
    await recordAudit(tx, ctx, { act: 'dues_voided', subject_id, facts: { dues_id: id, amount_cents } });
    const back = back_from && (await takeTierBack(tx, membership, entry, back_from));
    if (back) await onTierBack(tx, subject_id, back);
  });
  return readDues(ctx, customer_id);
}

/**
 * From when the tier before a difference comes back once that is voided; null if it stays: after another tier, a later payment
 * for the dearer one, or the end. Throws Refusal TIER_CHANGE_REFUSED.
 */
async function tierBackDay(
  { now, venue }: CountContext,
  tx: Tx,
  { id, status, start_date, paid_until, tier, pending_tier, pending_from }: Membership,
  entry: Entry,
): Promise<LocalDate | null> {
  if (entry.kind !== 'difference' || status !== 'active' || paid_until === null) return null;
  const isLast = sql`${memberships.paid_until} = (select moved_by_pauses(d) from dues d where d.id = ${entry.id})`;
  if ((await tx.$count(memberships, and(eq(memberships.id, id), isLast))) === 0) return null;
  // The tier that a later difference went back to goes further back.
  const isBack = pending_tier === entry.tier && pending_from !== null && pending_from < paid_until;
  if (pending_tier !== null && !isBack)
    throw new Refusal('TIER_CHANGE_REFUSED', { reason: 'change_pending' });
  if (tier !== entry.tier && !isBack) return null;
  return tierBackFrom({ start_date, paid_until }, localDate(now(), venue.time_zone));
}

/**
 * Begins to count the dues of memberships from a day, or from the start of their next month after it. A day that was set
 * before is replaced while no payment is recorded. Members who cannot be counted so are skipped, with the reason.
 */
export async function countDuesFrom(
  ctx: DuesContext,
  { customer_ids, day }: InputOf<typeof memberDues.countFrom>,
): Promise<{ counted: number; skipped: { customer_id: string; reason: DuesObstacle }[] }> {
  const skipped: { customer_id: string; reason: DuesObstacle }[] = [];
  // In one order, so that two lists never wait for each other; each member is done before the next.
  for (const customer_id of [...new Set(customer_ids)].sort()) {
    const reason = await ctx.db.transaction((tx) => startDues(ctx, tx, customer_id, day));
    if (reason) skipped.push({ customer_id, reason });
  }
  return { counted: new Set(customer_ids).size - skipped.length, skipped };
}

/** Whether a difference was paid for the rest of a year, or after another one in it, and not given back. */
export async function hasDifference(
  tx: Db | Tx,
  { id, membership_id }: typeof dues.$inferSelect,
): Promise<boolean> {
  const isOf = sql`exists (select from dues d where d.id = ${id}
    and case d.kind when 'difference' then ${dues.from_tier} = d.tier else ${dues.paid_from} > d.paid_from end
    and (select moved_by_pauses(x) from dues x where x.id = ${dues.id}) = moved_by_pauses(d))`;
  const isLeft = sql`not exists (select from dues_void v where v.dues_id = ${dues.id})`;
  const isDifference = and(eq(dues.membership_id, membership_id), eq(dues.kind, 'difference'));
  return (await tx.$count(dues, and(isDifference, isOf, isLeft))) > 0;
}

async function startDues(
  ctx: PourContext,
  tx: Tx,
  customer_id: string,
  day: LocalDate,
): Promise<DuesObstacle | null> {
  // A partner has no membership of their own.
  await lockPool(tx, customer_id);
  const membership = await activeMembership(tx, customer_id);
  if (!membership) return 'not_active';
  if (!isCountable(membership)) return 'by_card';
  const entries = await tx
    .select({ id: dues.id, kind: dues.kind })
    .from(dues)
    .leftJoin(dues_void, eq(dues_void.dues_id, dues.id))
    .where(and(eq(dues.membership_id, membership.id), isNull(dues_void.dues_id)));
  if (entries.some(({ kind }) => kind === 'payment')) return 'counted';
  const { start_date } = membership;
  const today = localDate(ctx.now(), ctx.venue.time_zone);
  const paid_until = monthBoundary(start_date, day);
  if (day < start_date || paid_until < monthStart(start_date, today)) return 'too_early';
  const at = { created_at: ctx.now() };
  const staff_id = ctx.actor.user_id;
  for (const { id, kind } of entries) {
    if (kind !== 'start') continue;
    await tx.insert(dues_void).values({ dues_id: id, reason: null, voided_by_staff_id: staff_id, ...at });
  }
  const id = ctx.newId();
  await tx.insert(dues).values({
    id,
    request_id: ctx.newId(),
    customer_id,
    membership_id: membership.id,
    kind: 'start',
    amount_cents: 0,
    months: 0,
    paid_on: today,
    paid_from: paid_until,
    paid_until,
    recorded_by_staff_id: staff_id,
    ...at,
  });
  await countDues(ctx, tx, membership, id);
  const subject_id = await userOfMember(tx, customer_id);
  await recordAudit(tx, ctx, { act: 'dues_counted', subject_id, facts: { dues_id: id, from: paid_until } });
  return null;
}

/** What the next months of a membership cost; `card_cents`: one by card, at the tier's price; null if it has none. */
export async function duesPricesOf(
  db: Db | Tx,
  membership: Membership,
): Promise<DuesPrices & { card_cents: number | null }> {
  const tier = await nextTierOf(db, membership);
  const prices = duesPrices(nextMonthCents(membership), tier?.yearly_price_cents ?? null);
  return { ...prices, card_cents: tier?.monthly_price_cents || null };
}

/** The tier of the next month that is paid, as it is sold today. */
export async function nextTierOf(
  db: Db | Tx,
  membership: Membership,
): Promise<typeof tier_definitions.$inferSelect | undefined> {
  const isTier = eq(tier_definitions.tier_name, nextMonthTier(membership));
  const [tier] = await db.select().from(tier_definitions).where(isTier);
  return tier;
}

/** As lockPool. Pours and other payments wait. Throws Refusal NOT_FOUND. */
async function lockHolder(tx: Tx, customer_id: string): Promise<string> {
  const holder_id = await lockPool(tx, customer_id);
  if (holder_id === null) throw new Refusal('NOT_FOUND', { what: 'customer' });
  return holder_id;
}

async function activeMembership(db: Db | Tx, customer_id: string): Promise<Membership | undefined> {
  const [row] = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.customer_id, customer_id), eq(memberships.status, 'active')));
  return row;
}

/** Whether dues are paid for a membership: not by card, a gift, or on the house. */
export const isCountable = ({ stripe_subscription_id, is_gift, on_the_house }: Membership): boolean =>
  stripe_subscription_id === null && !is_gift && !on_the_house;

/**
 * Notes in the dues of a membership that a pause got `months` more, or lost them: until when it is paid moves by them. The
 * pool is locked. `actor` is null for the member. Returns the membership as it is then.
 */
export async function moveByPause(
  ctx: CountContext,
  tx: Tx,
  membership: Membership,
  { pause: { from, until }, months, actor }: { pause: VenuePause; months: number; actor: Actor | null },
): Promise<Membership> {
  const { id: membership_id, customer_id } = membership;
  // Months before this pause are given by the one before.
  await writeDueGrants(ctx, tx, customer_id);
  const at = (day: LocalDate) => (from < until ? startOfDay(day, ctx.venue.time_zone) : null);
  await tx
    .update(memberships)
    .set({ paused_from: at(from), paused_until: at(until) })
    .where(eq(memberships.id, membership_id));
  const id = ctx.newId();
  await tx.insert(dues).values({
    id,
    request_id: ctx.newId(),
    customer_id,
    membership_id,
    kind: 'pause',
    amount_cents: 0,
    months,
    paid_on: localDate(ctx.now(), ctx.venue.time_zone),
    paid_from: from,
    paid_until: until,
    recorded_by_staff_id: actor?.user_id ?? null,
    bar_device_id: actor?.bar_device_id ?? null,
    created_at: ctx.now(),
  });
  await countDues(ctx, tx, membership, id);
  const [moved] = await tx.select().from(memberships).where(eq(memberships.id, membership_id));
  if (!moved) throw new Error('A membership disappeared under its lock');
  return moved;
}

/** The active membership that dues are paid for. Throws Refusal DUES_REFUSED. */
async function countable(tx: Tx, customer_id: string): Promise<Membership> {
  const membership = (await activeMembership(tx, customer_id)) ?? refuse('not_active');
  return isCountable(membership) ? membership : refuse('by_card');
}

/** Sets until when a membership is paid, and pays or unpays its months. The pool is locked. */
async function countDues(
  ctx: CountContext,
  tx: Tx,
  { id, customer_id }: Membership,
  dues_id: string,
): Promise<void> {
  await writeDueGrants(ctx, tx, customer_id);
  const { grace_days } = ctx.club.current();
  await tx.execute(sql`
    select count_dues(${id}, ${dues_id}, ${ctx.now().toISOString()}::timestamptz, ${ctx.venue.time_zone},
                      ${grace_days}::integer)`);
}

/** Says which payment now is the last of a member's, and who recorded it. */
export async function changedSince(tx: Tx, { id, paid_until }: Membership): Promise<Refusal> {
  const [last] = await tx
    .select({ by: profiles.first_name, payment: dues })
    .from(dues)
    .leftJoin(profiles, eq(profiles.id, dues.recorded_by_staff_id))
    .leftJoin(dues_void, eq(dues_void.dues_id, dues.id))
    .where(
      and(
        eq(dues.membership_id, id),
        inArray(dues.kind, ['payment', 'difference']),
        isNull(dues_void.dues_id),
      ),
    )
    .orderBy(desc(dues.created_at), desc(dues.id))
    .limit(1);
  return new Refusal('DUES_CHANGED', {
    paid_until,
    by: last?.by ?? null,
    at: last?.payment.created_at.toISOString() ?? null,
    amount_cents: last?.payment.amount_cents ?? null,
    months: last?.payment.months ?? null,
  });
}

/** Another tier that staff scheduled at the venue, its first day, and its price a month; null without one. */
export function pendingTierOf({
  pending_tier,
  pending_from,
  pending_price_cents,
}: Pick<Membership, 'pending_tier' | 'pending_from' | 'pending_price_cents'>) {
  if (pending_tier === null || pending_from === null || pending_price_cents === null) return null;
  return { tier: pending_tier, from: pending_from, price_cents: pending_price_cents };
}

async function readDues(ctx: DuesContext, customer_id: string): Promise<Dues> {
  const membership = await activeMembership(ctx.db, customer_id);
  const entries = await listDues(ctx.db, customer_id);
  const unpaid = { paid_until: null, grace_until: null, price_cents: 0, year_cents: null, months_begin: [] };
  const none = { ...unpaid, state: null, pending_tier: null, by_card_from: null, tiers_up: [] };
  if (!membership || !isCountable(membership)) return { ...none, currency: ctx.currency, entries };
  const { start_date, paid_until, grace_until, ends_on, next_subscription_id } = membership;
  const today = localDate(ctx.now(), ctx.venue.time_zone);
  return {
    state: duesState(membership, today),
    paid_until,
    grace_until,
    ...(await duesPricesOf(ctx.db, membership)),
    pending_tier: pendingTierOf(membership),
    tiers_up: await offerTiersUp(ctx, membership),
    by_card_from: next_subscription_id === null ? null : ends_on,
    currency: ctx.currency,
    months_begin: Array.from({ length: 13 }, (_, months) => duesUntil(start_date, today, months)),
    entries,
  };
}
