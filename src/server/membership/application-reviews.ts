import {
  type applications,
  type ReviewedApplication,
  reviewedApplication,
} from '../../contract/applications.ts';
import type { InputOf } from '../../contract/base.ts';
import { Refusal } from '../../contract/refusals.ts';
import { approvedTier, canReview } from '../../domain/application.ts';
import { type LocalDate, localDate, startOfDay } from '../../domain/calendar.ts';
import { canGiveUntil, HOUSE_MONTHS } from '../../domain/membership/on-the-house.ts';
import { tierLabel } from '../../domain/tiers.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '../db/client.ts';
import { eq } from '../db/orm.ts';
import { customers, membership_applications, memberships, profiles, tier_definitions } from '../db/schema.ts';
import { sendEmail } from '../mail/send-email.ts';
import { writeDueGrants } from '../pours/due-grants.ts';
import { recordFirstDues } from './dues/dues.ts';
import type { MembershipContext } from './membership-context.ts';
import { membershipEmails } from './membership-emails.ts';

/** Without months, method or amount: one month of the tier's price. */
type Payment = Pick<InputOf<typeof applications.approve>, 'toast_reference_number'> &
  Partial<InputOf<typeof applications.approve>> & { house?: undefined };
/** Paid at the venue, or given by the club until a day, which is the first without membership. */
type Approval = { id: string } & (Payment | { house: { ends_on: LocalDate; reason: string } });

export const reviewedColumns = {
  application: membership_applications,
  applicant: {
    first_name: profiles.first_name,
    last_name: profiles.last_name,
    email: profiles.email,
    phone: profiles.phone,
  },
};

type ReviewedRow = {
  application: typeof membership_applications.$inferSelect;
  applicant: ReviewedApplication['applicant'];
};

/** The contract's schema picks the columns. */
export const toReviewed = ({ application, applicant }: ReviewedRow): ReviewedApplication =>
  reviewedApplication.parse({
    ...application,
    applicant,
    created_at: application.created_at.toISOString(),
    reviewed_at: application.reviewed_at?.toISOString() ?? null,
  });

/** Throws Refusal NOT_FOUND. */
export async function getApplication(
  { db }: { db: Db | Tx },
  { id }: { id: string },
): Promise<ReviewedApplication> {
  const [row] = await db
    .select(reviewedColumns)
    .from(membership_applications)
    .innerJoin(profiles, eq(profiles.id, membership_applications.user_id))
    .where(eq(membership_applications.id, id));
  if (!row) throw new Refusal('NOT_FOUND', { what: 'application' });
  return toReviewed(row);
}

/** Locks the application, so that two staff members cannot both review it. */
async function lockForReview(tx: Tx, id: string) {
  const [row] = await tx
    .select()
    .from(membership_applications)
    .where(eq(membership_applications.id, id))
    .for('update');
  if (!row) throw new Refusal('NOT_FOUND', { what: 'application' });
  if (!canReview(row.status)) throw new Refusal('APPLICATION_NOT_PENDING', { status: row.status });
  return row;
}

/**
 * Approves a pending application and creates a membership billed at the venue, in one transaction. An open card checkout is
 * closed first, so that the applicant does not pay twice. The applicant gets an email. Throws Refusal NOT_FOUND,
 * APPLICATION_NOT_PENDING, ALREADY_MEMBER, DUES_REFUSED.
 */
export async function approveApplication(ctx: MembershipContext, input: Approval) {
  const { user_id } = await getApplication(ctx, { id: input.id });
  await ctx.paymentPages.close(user_id);
  return ctx.db.transaction((tx) => approve(ctx, tx, input));
}

/** Approves in the caller's transaction; the caller has already closed an open checkout. Throws as approveApplication, and SETTING_REFUSED. */
export async function approve(
  ctx: Omit<MembershipContext, 'paymentPages'>,
  tx: Tx,
  approval: Approval,
): Promise<{ customer_id: string; membership_id: string }> {
  const { actor, newId } = ctx;
  const { id } = approval;
  const application = await lockForReview(tx, id);
  const { user_id } = application;
  const at = ctx.now();
  const today = localDate(at, ctx.venue.time_zone);
  const tier = approvedTier(application.selected_tier);
  const [definition] = await tx.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier));
  // An accepted household invitation may create the row at the same moment: the insert waits for it.
  await tx
    .insert(customers)
    .values({ id: newId(), user_id, tier, status: 'inactive', member_since: today, created_at: at })
    .onConflictDoNothing({ target: customers.user_id });
  const [customer] = await tx.select().from(customers).where(eq(customers.user_id, user_id)).for('update');
  if (!customer) throw new Error('The insert stored no row');
  if (customer.status === 'active') throw new Refusal('ALREADY_MEMBER');
  const customer_id = customer.id;
  await tx
    .update(customers)
    .set({ tier, status: 'active', signed_up_by_staff_id: actor.user_id })
    .where(eq(customers.id, customer_id));
  const membership_id = newId();
  const { house } = approval;
  if (house && !canGiveUntil(house.ends_on, today)) {
    throw new Refusal('SETTING_REFUSED', {
      why: `Enter a day from tomorrow to ${HOUSE_MONTHS} months ahead.`,
    });
  }
  await tx.insert(memberships).values({
    id: membership_id,
    customer_id,
    tier,
    start_date: today,
    began_at: at,
    status: 'active',
    recorded_by_staff_id: actor.user_id,
    ...(house
      ? { monthly_price_cents: 0, on_the_house: true, house_reason: house.reason, ends_on: house.ends_on }
      : {
          monthly_price_cents: definition?.monthly_price_cents ?? 0,
          toast_reference_number: approval.toast_reference_number,
        }),
  });
  if (!house) {
    const { toast_reference_number: reference, months, amount_cents, method } = approval;
    await recordFirstDues(ctx, tx, membership_id, { reference, months, amount_cents, method });
  }
  await writeDueGrants(ctx, tx, customer_id);
  await tx
    .update(membership_applications)
    .set({ status: 'approved', reviewed_by_staff_id: actor.user_id, reviewed_at: at, updated_at: at })
    .where(eq(membership_applications.id, id));
  const terms = {
    tier: definition?.display_name ?? tierLabel(tier),
    monthly_pours: definition?.monthly_pours ?? 0,
  };
  const facts = { application_id: id, tier };
  await recordAudit(tx, ctx, { act: 'application_approved', subject_id: user_id, facts });
  await sendEmail(ctx, tx, {
    user_id,
    cause: `application-approved:${id}`,
    aboutMoney: true,
    email: house
      ? membershipEmails.on_the_house.about({
          ...terms,
          ends_at: startOfDay(house.ends_on, ctx.venue.time_zone),
        })
      : membershipEmails.application_approved.about(terms),
  });
  return { customer_id, membership_id };
}

/**
 * Rejects a pending application, with notes for staff, and emails the applicant without the notes. Throws Refusal
 * NOT_FOUND, APPLICATION_NOT_PENDING.
 */
export async function rejectApplication(
  ctx: MembershipContext,
  { id, notes }: { id: string; notes?: string },
) {
  const { user_id } = await getApplication(ctx, { id });
  await ctx.paymentPages.close(user_id);
  return ctx.db.transaction(async (tx) => {
    await lockForReview(tx, id);
    const at = ctx.now();
    await tx
      .update(membership_applications)
      .set({
        status: 'rejected',
        notes: notes || null,
        reviewed_by_staff_id: ctx.actor.user_id,
        reviewed_at: at,
        updated_at: at,
      })
      .where(eq(membership_applications.id, id));
    const facts = { application_id: id };
    await recordAudit(tx, ctx, { act: 'application_rejected', subject_id: user_id, facts });
    await sendEmail(ctx, tx, {
      user_id,
      cause: `application-rejected:${id}`,
      aboutMoney: true,
      email: membershipEmails.application_rejected.about(),
    });
    return getApplication({ db: tx }, { id });
  });
}
