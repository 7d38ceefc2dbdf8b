import {
  type StoredPreferences,
  type SurveyPreferences,
  surveyPreferences,
} from '../../contract/applications.ts';
import type { Taste } from '../../contract/profile.ts';
import { Refusal } from '../../contract/refusals.ts';
import { type Answers, newestAnswers } from '../../domain/application.ts';
import type { Db } from '../db/client.ts';
import { and, desc, eq, ne } from '../db/orm.ts';
import { customers, member_taste, membership_applications } from '../db/schema.ts';
import type { MembershipContext } from './membership-context.ts';
import { holdUser } from './record/locks.ts';

// Rules: docs/rules/wines.md, "Taste".

async function answersOf({ db }: { db: Db }, userId: string): Promise<Answers<StoredPreferences> | null> {
  const { preferences: answers, updated_at: given_at } = membership_applications;
  const [application] = await db
    .select({ answers, given_at })
    .from(membership_applications)
    .where(and(eq(membership_applications.user_id, userId), ne(membership_applications.status, 'rejected')))
    .orderBy(desc(membership_applications.created_at))
    .limit(1);
  const [change] = await db.select().from(member_taste).where(eq(member_taste.user_id, userId));
  return newestAnswers(
    application?.answers ? { answers: application.answers, given_at: application.given_at } : null,
    change ? { answers: surveyPreferences.strip().parse(change), given_at: change.changed_at } : null,
  );
}

/** A user's answers, with their latest ratings; null if there are none. */
export async function preferencesOf(ctx: { db: Db }, userId: string): Promise<StoredPreferences | null> {
  return (await answersOf(ctx, userId))?.answers ?? null;
}

/** The actor's five ratings; null until all are answered. */
export async function getTaste(ctx: MembershipContext): Promise<Taste | null> {
  const answers = await answersOf(ctx, ctx.actor.user_id);
  const ratings = surveyPreferences.strip().safeParse(answers?.answers).data;
  return answers && ratings ? { ratings, changed_at: answers.given_at.toISOString() } : null;
}

/**
 * Replaces the actor's ratings; answers in an application are unchanged. Throws Refusal TASTE_IN_APPLICATION while an
 * application is pending, and before the first membership.
 */
export async function updateTaste(
  { db, actor, now }: MembershipContext,
  ratings: SurveyPreferences,
): Promise<Taste> {
  const { user_id } = actor;
  return db.transaction(async (tx) => {
    await holdUser(tx, user_id, 'key share');
    const filter = and(
      eq(membership_applications.user_id, user_id),
      eq(membership_applications.status, 'pending'),
    );
    const isMember = (await tx.$count(customers, eq(customers.user_id, user_id))) > 0;
    if (!isMember || (await tx.$count(membership_applications, filter)) > 0) {
      throw new Refusal('TASTE_IN_APPLICATION');
    }
    const changed_at = now();
    const row = { ...ratings, changed_at };
    await tx
      .insert(member_taste)
      .values({ user_id, ...row })
      .onConflictDoUpdate({ target: member_taste.user_id, set: row });
    return { ratings, changed_at: changed_at.toISOString() };
  });
}
