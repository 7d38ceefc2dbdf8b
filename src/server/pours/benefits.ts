import type { InputOf } from '../../contract/base.ts';
import type { BarBenefit, benefits, OwnBenefit, TakeBenefitInput } from '../../contract/benefits.ts';
import { Refusal } from '../../contract/refusals.ts';
import { type BenefitUnit, benefitWindow, numberIn, takenIn } from '../../domain/membership/benefit.ts';
import { isPourTime, voidNeedsReason } from '../../domain/pour.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '../db/client.ts';
import { eq, sql } from '../db/orm.ts';
import { refusing, rowsOf } from '../db/results.ts';
import { benefit_use } from '../db/schema.ts';
import { lockPool } from './lock-pool.ts';
import { userOfMember } from './member-user.ts';
import type { PourContext } from './pour-context.ts';

interface StoredBenefit {
  id: string;
  words: string;
  every: BenefitUnit | null;
  is_listed: boolean;
  numbers: { since: string; number: number }[];
  uses: { id: string; at: string; by_id: string; by: string }[];
}

/** What benefit_facts answers; instants as Postgres writes them. */
export interface BenefitFacts {
  pool: string;
  access: boolean;
  by_card: boolean;
  began: string;
  joined: string | null;
  starts: string;
  ends: string;
  benefits: StoredBenefit[];
}

type Reader = Pick<PourContext, 'now' | 'venue' | 'actor'> & { db: Db | Tx };

async function factsOf({ db, now, venue }: Reader, customer_id: string): Promise<BenefitFacts | null> {
  const [row] = await rowsOf<{ facts: BenefitFacts | null }>(
    db,
    sql`select benefit_facts(${customer_id}::uuid, ${now().toISOString()}::timestamptz, ${venue.time_zone}) as facts`,
  );
  return row?.facts ?? null;
}

/** A benefit in the window that contains an instant; null if it gives nothing there. */
function benefitAt(
  { actor, venue }: Pick<Reader, 'actor' | 'venue'>,
  facts: BenefitFacts,
  { id, words, every, is_listed, numbers, uses }: StoredBenefit,
  at: Date,
): BarBenefit | null {
  if (every === null) {
    return is_listed ? { id, words, every, number: null, left: null, until: null, taken: [] } : null;
  }
  const window = benefitWindow(
    every,
    {
      by_card: facts.by_card,
      began: new Date(facts.began),
      running: { start: new Date(facts.starts), end: new Date(facts.ends) },
      time_zone: venue.time_zone,
    },
    at,
  );
  // What the list gave earlier on the day of joining was never promised.
  const start = new Date(Math.max(window.start.getTime(), Date.parse(facts.joined ?? facts.began)));
  const number = numberIn(
    { ...window, start },
    numbers.map((it) => ({ ...it, since: new Date(it.since) })),
  );
  if (number === 0) return null;
  const inWindow = uses.filter((use) => takenIn(window, [new Date(use.at)]) > 0);
  return {
    ...{ id, words, every, number },
    left: Math.max(0, number - inWindow.length),
    until: window.end?.toISOString() ?? null,
    taken: inWindow.map(({ id, at, by, by_id }) => ({
      id,
      at: new Date(at).toISOString(),
      by,
      own: by_id === actor.user_id,
    })),
  };
}

/** A member's benefits now, in the tier's order, as the bar sees them; pure, because the bar's card has read the facts. */
export function barBenefits(
  ctx: Pick<Reader, 'actor' | 'venue' | 'now'>,
  facts: BenefitFacts | null,
): BarBenefit[] {
  if (!facts) return [];
  return facts.benefits.flatMap((benefit) => benefitAt(ctx, facts, benefit, ctx.now()) ?? []);
}

/** The actor's own benefits, without who recorded what was taken. */
export async function listOwnBenefits(ctx: Reader, customer_id: string): Promise<OwnBenefit[]> {
  const benefits = barBenefits(ctx, await factsOf(ctx, customer_id));
  return benefits.map(({ taken: _, ...benefit }) => benefit);
}

const listFor = async (ctx: Reader, customer_id: string): Promise<BarBenefit[]> =>
  barBenefits(ctx, await factsOf(ctx, customer_id));

/**
 * Takes one of a counted benefit, under the lock of the member's pool (docs/rules/benefits.md, "Taking one"). Throws Refusal
 * NOT_FOUND, CUSTOMER_NOT_ACTIVE, BENEFIT_REFUSED or REQUEST_ID_REUSED.
 */
export async function takeBenefit(
  ctx: PourContext,
  { request_id, customer_id, benefit_id, taken_at }: TakeBenefitInput,
): Promise<{ use_id: string; repeated: boolean; benefits: BarBenefit[] }> {
  // Locks on two members do not exclude each other, so both can use the same request_id at once.
  const refusals = { benefit_use_request_id_unique: new Refusal('REQUEST_ID_REUSED') };
  return refusing(refusals, () =>
    ctx.db.transaction(async (tx) => {
      const within = { ...ctx, db: tx };
      if (!(await lockPool(tx, customer_id))) throw new Refusal('NOT_FOUND', { what: 'customer' });
      const [earlier] = await tx.select().from(benefit_use).where(eq(benefit_use.request_id, request_id));
      if (earlier) {
        if (earlier.customer_id !== customer_id || earlier.benefit_id !== benefit_id)
          throw new Refusal('REQUEST_ID_REUSED');
        return { use_id: earlier.id, repeated: true, benefits: await listFor(within, customer_id) };
      }
      const now = ctx.now();
      const waited = taken_at === undefined ? null : new Date(taken_at);
      const isLate = waited !== null && waited < now && isPourTime(waited, now);
      const created_at = isLate ? waited : now;
      const facts = await factsOf(within, customer_id);
      const stored = facts?.benefits.find(({ id }) => id === benefit_id);
      if (facts && !facts.access) throw new Refusal('CUSTOMER_NOT_ACTIVE');
      const benefit = facts && stored && benefitAt(ctx, facts, stored, created_at);
      if (!benefit || benefit.left === null) throw new Refusal('BENEFIT_REFUSED', { reason: 'not_given' });
      if (benefit.left === 0) throw new Refusal('BENEFIT_REFUSED', { reason: 'used_up' });
      const id = ctx.newId();
      await tx.insert(benefit_use).values({
        ...{ id, request_id, benefit_id, customer_id, pool_id: facts.pool, words: benefit.words },
        recorded_by_staff_id: ctx.actor.user_id,
        bar_device_id: ctx.actor.bar_device_id ?? null,
        created_at,
        recorded_at: isLate ? now : null,
      });
      return { use_id: id, repeated: false, benefits: await listFor(within, customer_id) };
    }),
  );
}

/**
 * Undoes a use, by the rules of voiding a pour; once undone, it stays as it is. Undoing a colleague's adds an audit entry.
 * Throws Refusal NOT_FOUND, VOID_NEEDS_REASON, and NOT_ALLOWED for a colleague's on a shared tablet.
 */
export async function voidBenefitUse(
  ctx: PourContext,
  { id, reason }: InputOf<typeof benefits.void>,
): Promise<{ benefits: BarBenefit[] }> {
  const { actor } = ctx;
  return ctx.db.transaction(async (tx) => {
    const [found] = await tx.select().from(benefit_use).where(eq(benefit_use.id, id));
    if (!found) throw new Refusal('NOT_FOUND', { what: 'benefit_use' });
    const { customer_id, recorded_by_staff_id: by, words } = found;
    if (actor.bar_device_id && by !== actor.user_id) throw new Refusal('NOT_ALLOWED');
    await lockPool(tx, customer_id);
    const [use] = await tx.select().from(benefit_use).where(eq(benefit_use.id, id)).for('no key update');
    if (use && use.voided_at === null) {
      const recorded_at = use.recorded_at ?? use.created_at;
      const void_reason = reason || null;
      if (
        !void_reason &&
        voidNeedsReason({ recorded_by: by, recorded_at }, { by: actor.user_id, at: ctx.now() })
      )
        throw new Refusal('VOID_NEEDS_REASON');
      const voided = { voided_at: ctx.now(), voided_by_staff_id: actor.user_id, void_reason };
      await tx.update(benefit_use).set(voided).where(eq(benefit_use.id, id));
      if (by !== actor.user_id) {
        const subject_id = await userOfMember(tx, customer_id);
        const facts = { use_id: id, recorded_by_id: by, words };
        await recordAudit(tx, ctx, { act: 'benefit_voided', subject_id, facts });
      }
    }
    return { benefits: await listFor({ ...ctx, db: tx }, customer_id) };
  });
}
