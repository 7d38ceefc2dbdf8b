import type { MemberPalate, Palate } from '../../contract/wine/ratings.ts';
import { type OwnWords, rankWines, type SurveyTaste, suggestions, type Taste } from '../../domain/taste.ts';
import { wineTitle } from '../../domain/wine/wine.ts';
import type { Db } from '../db/client.ts';
import { and, desc, eq, gt, isNotNull, sql } from '../db/orm.ts';
import { member_palate, pour_rating, pours, wine } from '../db/schema.ts';
import type { MembershipContext } from '../membership/membership-context.ts';
import { preferencesOf } from '../membership/taste.ts';
import { memberOfUser, userOfMember } from '../pours/member-user.ts';
import { listTonightsWines, WINE_FIELDS, WINE_TRAIT_FIELDS } from '../wines/wine-list.ts';
import { holdOwnMember, notVoided } from './ratings.ts';

// Rules: docs/rules/wines.md, "Taste that learns".

/** Verdicts that a taste is learned from; older ones hardly count. */
const MAX_TASTED = 200;
const SHOWN_TO_STAFF = 3;

/** A member's counted verdicts, newest first, without voided pours. */
function ratedGlasses(db: Db, customerId: string, since: Date | null, limit: number) {
  return db
    .select({
      wine: { ...WINE_FIELDS, ...WINE_TRAIT_FIELDS },
      verdict: sql<'loved' | 'fine' | 'not_mine'>`${pour_rating.verdict}`,
      comment: pour_rating.comment,
      answered_at: pour_rating.answered_at,
      poured_at: pours.created_at,
    })
    .from(pour_rating)
    .innerJoin(pours, eq(pours.id, pour_rating.pour_id))
    .innerJoin(wine, eq(wine.id, pours.wine_id))
    .where(
      and(
        eq(pour_rating.customer_id, customerId),
        isNotNull(pour_rating.verdict),
        since ? gt(pour_rating.answered_at, since) : undefined,
        notVoided(db),
      ),
    )
    .orderBy(desc(pour_rating.answered_at), desc(pour_rating.pour_id))
    .limit(limit);
}

export async function verdictsOf(db: Db, customerId: string, limit = MAX_TASTED) {
  const [palate] = await db.select().from(member_palate).where(eq(member_palate.customer_id, customerId));
  const glasses = await ratedGlasses(db, customerId, palate?.ratings_since ?? null, limit);
  const words: OwnWords = palate?.words ?? {};
  return { words, glasses };
}

async function tasteOf(
  db: Db,
  userId: string,
  { words, glasses }: Awaited<ReturnType<typeof verdictsOf>>,
): Promise<Taste> {
  return {
    survey: surveyOf(await preferencesOf({ db }, userId)),
    words,
    tasted: glasses.map(({ wine: { name, vintage, ...profile }, verdict, poured_at }) => ({
      wine: { ...profile, title: wineTitle({ name, vintage }) },
      verdict,
      at: poured_at,
    })),
  };
}

/** The answers to the wine sliders; null unless all were answered. */
function surveyOf(answers: Record<string, unknown> | null): SurveyTaste | null {
  const { red_wine_preference, white_wine_preference, adventurousness } = answers ?? {};
  const sliders = [red_wine_preference, white_wine_preference, adventurousness];
  if (!sliders.every((it) => typeof it === 'number')) return null;
  return { red_wine_preference, white_wine_preference, adventurousness } as SurveyTaste;
}

async function matchesOf(db: Db, taste: Taste, now: Date) {
  const wines = (await listTonightsWines({ db })).filter(({ state }) => state === 'open');
  return rankWines(wines, taste, now);
}

/** The actor's learned taste, and how it matches the open wines. Ratings only count for current or former members. */
export async function getPalate({ db, actor, now }: MembershipContext): Promise<Palate> {
  const customerId = await memberOfUser(db, actor.user_id);
  const verdicts = customerId ? await verdictsOf(db, customerId) : { words: {}, glasses: [] };
  const taste = await tasteOf(db, actor.user_id, verdicts);
  const matches = await matchesOf(db, taste, now());
  return {
    words: verdicts.words,
    glasses: verdicts.glasses.length,
    matches: matches.map(({ wine: { id }, reason }) => ({ wine_id: id, reason })),
  };
}

async function changePalate(
  ctx: MembershipContext,
  set: { words: OwnWords; ratings_since?: Date },
): Promise<Palate> {
  await ctx.db.transaction(async (tx) => {
    const customer_id = await holdOwnMember(tx, ctx.actor.user_id);
    const row = { ...set, changed_at: ctx.now() };
    await tx
      .insert(member_palate)
      .values({ customer_id, ...row })
      .onConflictDoUpdate({ target: member_palate.customer_id, set: row });
  });
  return getPalate(ctx);
}

/** Replaces the actor's own words about kinds of wine. Throws Refusal NOT_FOUND for someone who was never a member. */
export const saveOwnWords = (ctx: MembershipContext, { words }: { words: OwnWords }): Promise<Palate> =>
  changePalate(ctx, { words });

/** Resets the actor's learned taste; the verdicts stay in their history. Throws Refusal NOT_FOUND. */
export const resetPalate = (ctx: MembershipContext): Promise<Palate> =>
  changePalate(ctx, { words: {}, ratings_since: ctx.now() });

/** What staff see: a member's latest verdicts, and which open wines to pour. Throws Refusal NOT_FOUND. */
export async function getMemberPalate(
  { db, now }: MembershipContext,
  { customer_id }: { customer_id: string },
): Promise<MemberPalate> {
  const user_id = await userOfMember(db, customer_id);
  const verdicts = await verdictsOf(db, customer_id);
  const taste = await tasteOf(db, user_id, verdicts);
  const pourThis = suggestions(await matchesOf(db, taste, now()));
  return {
    ratings: verdicts.glasses
      .slice(0, SHOWN_TO_STAFF)
      .map(({ wine: ratedWine, verdict, comment, answered_at }) => ({
        wine: toPouredWine(ratedWine),
        verdict,
        comment,
        answered_at: answered_at.toISOString(),
      })),
    suggestions: pourThis.flatMap(({ wine: openWine, reason }) =>
      reason ? [{ wine: toPouredWine(openWine), reason }] : [],
    ),
  };
}

const toPouredWine = ({ id, name, producer, vintage, color }: MemberPalate['ratings'][number]['wine']) => ({
  ...{ id, name, producer, vintage, color },
});
