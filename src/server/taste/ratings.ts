import { Refusal } from '../../contract/refusals.ts';
import type { Rating } from '../../contract/wine/ratings.ts';
import type { Verdict } from '../../domain/taste.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, desc, eq, gt, isNotNull, notExists, sql } from '../db/orm.ts';
import { customers, pour_rating, pour_voids, pours, profiles, wine } from '../db/schema.ts';
import type { MembershipContext } from '../membership/membership-context.ts';
import { WINE_FIELDS } from '../wines/wine-list.ts';

// Rules: docs/rules/wines.md, "What did you think?".

/** A member no longer remembers the glass after this. */
const ASKED_FOR_HOURS = 12;

/** The condition for pours that were not voided. */
export const notVoided = (db: Db | Tx) =>
  notExists(db.select({ one: sql`1` }).from(pour_voids).where(eq(pour_voids.pour_id, pours.id)));

/**
 * The actor's last pour that has a wine and is not voided; null if there is none within ASKED_FOR_HOURS, or it was rated or
 * dismissed.
 */
export async function getQuestion({ db, actor, now }: MembershipContext) {
  const since = new Date(now().getTime() - ASKED_FOR_HOURS * 3_600_000);
  const [last] = await db
    .select({ pour_id: pours.id, at: pours.created_at, wine: WINE_FIELDS, asked: pour_rating.pour_id })
    .from(pours)
    .innerJoin(customers, eq(customers.id, pours.customer_id))
    .innerJoin(wine, eq(wine.id, pours.wine_id))
    .leftJoin(pour_rating, eq(pour_rating.pour_id, pours.id))
    .where(and(eq(customers.user_id, actor.user_id), gt(pours.created_at, since), notVoided(db)))
    .orderBy(desc(pours.created_at), desc(pours.id))
    .limit(1);
  if (!last || last.asked) return null;
  return { pour_id: last.pour_id, wine: last.wine, poured_at: last.at.toISOString() };
}

/**
 * The customer id, with the profile locked as by holdMember. Throws Refusal NOT_FOUND for someone who was never a
 * member.
 */
export async function holdOwnMember(tx: Tx, userId: string): Promise<string> {
  const [member] = await tx
    .select({ customer_id: customers.id, erased_at: profiles.erased_at })
    .from(profiles)
    .innerJoin(customers, eq(customers.user_id, profiles.id))
    .where(eq(profiles.id, userId))
    .for('key share', { of: profiles });
  if (!member || member.erased_at) throw new Refusal('NOT_FOUND', { what: 'customer' });
  return member.customer_id;
}

/** Throws Refusal NOT_FOUND unless this is the member's pour, with a wine, and not voided. */
async function assertRatable(tx: Tx, customerId: string, pourId: string): Promise<void> {
  const [pour] = await tx
    .select({ id: pours.id })
    .from(pours)
    .where(
      and(eq(pours.id, pourId), eq(pours.customer_id, customerId), isNotNull(pours.wine_id), notVoided(tx)),
    );
  if (!pour) throw new Refusal('NOT_FOUND', { what: 'pour' });
}

/** Stores the actor's rating of a glass, replacing an earlier one. Throws Refusal NOT_FOUND. */
export async function saveRating(
  { db, actor, now }: MembershipContext,
  { id, verdict, comment }: { id: string; verdict: Verdict; comment?: string },
): Promise<Rating> {
  return db.transaction(async (tx) => {
    const customer_id = await holdOwnMember(tx, actor.user_id);
    await assertRatable(tx, customer_id, id);
    const answer = { verdict, comment: comment || null, answered_at: now() };
    await tx
      .insert(pour_rating)
      .values({ pour_id: id, customer_id, ...answer })
      .onConflictDoUpdate({ target: pour_rating.pour_id, set: answer });
    return { verdict, comment: answer.comment };
  });
}

/** Stores that the actor declines to rate; an existing rating stays. Throws Refusal NOT_FOUND. */
export async function dismissQuestion(
  { db, actor, now }: MembershipContext,
  { id }: { id: string },
): Promise<{ dismissed: true }> {
  return db.transaction(async (tx) => {
    const customer_id = await holdOwnMember(tx, actor.user_id);
    await assertRatable(tx, customer_id, id);
    await tx
      .insert(pour_rating)
      .values({ pour_id: id, customer_id, answered_at: now() })
      .onConflictDoNothing();
    return { dismissed: true };
  });
}
