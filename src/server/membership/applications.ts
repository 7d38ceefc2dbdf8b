import {
  type Application,
  application as applicationFields,
  type applications,
} from '../../contract/applications.ts';
import type { InputOf } from '../../contract/base.ts';
import { Refusal } from '../../contract/refusals.ts';
import { approvedTier } from '../../domain/application.ts';
import type { Tx } from '../db/client.ts';
import { and, desc, eq, isNotNull } from '../db/orm.ts';
import { customers, membership_applications } from '../db/schema.ts';
import type { MembershipContext } from './membership-context.ts';
import { holdUser, lockPerson } from './record/locks.ts';
import { applyForTier } from './tier-application.ts';
import { assertOffered } from './tiers.ts';

type Row = typeof membership_applications.$inferSelect;

/** The contract's schema picks the columns. */
const toApplication = (row: Row): Application =>
  applicationFields.parse({ ...row, created_at: row.created_at.toISOString() });

const pendingOf = (userId: string) =>
  and(eq(membership_applications.user_id, userId), eq(membership_applications.status, 'pending'));

/** The actor's pending application; null if there is none. */
export async function getOwnApplication({ db, actor }: MembershipContext): Promise<Application | null> {
  const [row] = await db.select().from(membership_applications).where(pendingOf(actor.user_id));
  return row ? toApplication(row) : null;
}

/** The latest decision of staff about the actor; null if it came with a payment, or there was none. */
export async function getOwnDecision({ db, actor }: MembershipContext) {
  const [row] = await db
    .select()
    .from(membership_applications)
    .where(
      and(eq(membership_applications.user_id, actor.user_id), isNotNull(membership_applications.reviewed_at)),
    )
    .orderBy(desc(membership_applications.reviewed_at), desc(membership_applications.id))
    .limit(1);
  if (!row?.reviewed_at || !row.reviewed_by_staff_id) return null;
  return { status: row.status, reviewed_at: row.reviewed_at, tier: approvedTier(row.selected_tier) };
}

type SaveApplication = InputOf<typeof applications.save>;

/**
 * Saves the actor's survey as their one pending application. docs/rules/membership.md, "Applications". Throws Refusal
 * ALREADY_MEMBER, TIER_NOT_AVAILABLE, and for a given id NOT_FOUND (also another user's) or APPLICATION_NOT_PENDING.
 */
export async function saveApplication(ctx: MembershipContext, input: SaveApplication): Promise<Application> {
  return ctx.db.transaction((tx) => saveAnswers(ctx, tx, input));
}

/**
 * The actor's application for a tier, ready to be paid, without the survey. docs/rules/membership.md, "Joining from a tier".
 * Throws Refusal ALREADY_MEMBER, TIER_NOT_AVAILABLE.
 */
export async function chooseTier(ctx: MembershipContext, { tier }: { tier: string }): Promise<Application> {
  const { user_id } = ctx.actor;
  return ctx.db.transaction(async (tx) => {
    await holdApplicant(tx, user_id);
    await applyForTier(ctx, tx, { user_id, tier });
    const [row] = await tx.select().from(membership_applications).where(pendingOf(user_id));
    if (!row) throw new Error('The application is missing');
    return toApplication(row);
  });
}

/** Two tabs and a sign-up at the bar write the one application one after the other. Throws Refusal ALREADY_MEMBER. */
async function holdApplicant(tx: Tx, user_id: string): Promise<void> {
  await lockPerson(tx, user_id, 'no key update', { only: ['applications', 'profile'] });
  await holdUser(tx, user_id, 'key share');
  const [member] = await tx
    .select({ status: customers.status })
    .from(customers)
    .where(eq(customers.user_id, user_id));
  if (member?.status === 'active') throw new Refusal('ALREADY_MEMBER');
}

async function saveAnswers(
  { actor, now, newId }: MembershipContext,
  tx: Tx,
  { id, ...answers }: SaveApplication,
): Promise<Application> {
  await holdApplicant(tx, actor.user_id);
  if (answers.selected_tier) await assertOffered(tx, answers.selected_tier);
  if (id) {
    const [application] = await tx
      .select({ status: membership_applications.status })
      .from(membership_applications)
      .where(and(eq(membership_applications.id, id), eq(membership_applications.user_id, actor.user_id)));
    if (!application) throw new Refusal('NOT_FOUND', { what: 'application' });
    if (application.status !== 'pending')
      throw new Refusal('APPLICATION_NOT_PENDING', { status: application.status });
  }
  const at = now();
  const [row] = await tx
    .update(membership_applications)
    .set({ ...answers, updated_at: at })
    .where(pendingOf(actor.user_id))
    .returning();
  if (row) return toApplication(row);
  const [inserted] = await tx
    .insert(membership_applications)
    .values({
      id: newId(),
      user_id: actor.user_id,
      status: 'pending',
      ...answers,
      created_at: at,
      updated_at: at,
    })
    .returning();
  if (!inserted) throw new Error('The insert returned no row');
  return toApplication(inserted);
}
