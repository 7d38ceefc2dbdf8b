import { Refusal } from '../../../contract/refusals.ts';
import type { MemberEmail } from '../../../contract/staff/member-account.ts';
import { monthlyCents } from '../../../domain/membership/upcoming-charges.ts';
import { MEMBERSHIP_EMAILS, type MembershipEmail } from '../../../domain/staff/access-email.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { AuthContext } from '../../auth/auth-context.ts';
import { consumeResend, holdAccount } from '../../auth/member-account/member-account.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq, gt, inArray, ne, notExists, sql } from '../../db/orm.ts';
import {
  billing_act,
  billing_payment,
  billing_reversal,
  billing_subscription,
  customers,
  deliveries,
  memberships,
  tier_definitions,
} from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingNotice } from '../billing-context.ts';
import { isOpenMove } from '../state/acts.ts';
import { periodOfPayment, readCardPeriods } from '../state/card-periods.ts';
import { billingMailer } from './billing-mailer.ts';
import { isItsMembership } from './reminders.ts';

// Rules: docs/rules/members.md, "A member's account, by staff".

const DAY = 86_400;

/** The emails that staff can send a member again, and when each went out last. Throws Refusal NOT_FOUND. */
export async function listMemberEmails(
  { db }: { db: Db },
  { customer_id }: { customer_id: string },
): Promise<MemberEmail[]> {
  const user_id = await userOfMember(db, customer_id);
  const emails: MemberEmail[] = [];
  for (const kind of MEMBERSHIP_EMAILS) {
    const notice = await storedNotice(db, user_id, kind);
    if (notice)
      emails.push({ kind, letter: kind, sent_at: (await lastSent(db, notice))?.toISOString() ?? null });
  }
  return emails;
}

/**
 * Resends the last receipt or the welcome from stored data: nothing is charged, and Stripe is not asked. Throws what
 * holdAccount throws, and Refusal NOTHING_TO_SEND, EMAIL_SENDING_OFF, or TOO_MANY_ATTEMPTS: also when an unconfirmed email
 * has reached its daily limit.
 */
export async function resendNotice(
  ctx: AuthContext,
  { customer_id, kind }: { customer_id: string; kind: MembershipEmail },
): Promise<MemberEmail[]> {
  if (!ctx.outbox.sends) throw new Refusal('EMAIL_SENDING_OFF');
  await ctx.db.transaction(async (tx) => {
    const { id } = await holdAccount(tx, { customer_id });
    const notice = await storedNotice(tx, id, kind);
    if (!notice) throw new Refusal('NOTHING_TO_SEND');
    await consumeResend(ctx, tx, id);
    const cause = `again:${notice.cause}:${ctx.newId()}`;
    await billingMailer(ctx, { again: true })(tx, { ...notice, cause });
    if ((await tx.$count(deliveries, and(eq(deliveries.kind, 'email'), eq(deliveries.cause, cause)))) === 0) {
      throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: DAY });
    }
    await recordAudit(tx, ctx, { act: 'email_sent', subject_id: id, facts: { email: kind } });
  });
  return listMemberEmails(ctx, { customer_id });
}

type NoticeOf<Type extends BillingNotice['type']> = Extract<BillingNotice, { type: Type }>;

/** The last receipt or welcome, with amounts from our rows; null if none would still be true today. */
const storedNotice = (db: Db | Tx, user_id: string, kind: MembershipEmail) =>
  kind === 'receipt' ? lastReceipt(db, user_id) : welcome(db, user_id);

/** When a notice, or a repetition of it, was last written; null if unknown. */
async function lastSent(db: Db | Tx, { user_id, cause }: BillingNotice): Promise<Date | null> {
  const isThis = sql`(${deliveries.cause} = ${cause} or starts_with(${deliveries.cause}, ${`again:${cause}:`}))`;
  const [row] = await db
    .select({ at: deliveries.created_at })
    .from(deliveries)
    .where(and(eq(deliveries.user_id, user_id), eq(deliveries.kind, 'email'), isThis))
    .orderBy(desc(deliveries.created_at))
    .limit(1);
  return row?.at ?? null;
}

/** The last receipt; payments that are disputed, or of reversed subscriptions, have none to resend. */
async function lastReceipt(db: Db | Tx, user_id: string): Promise<NoticeOf<'payment_received'> | null> {
  const reversed = db
    .select({ one: sql`1` })
    .from(billing_reversal)
    .where(eq(billing_reversal.stripe_subscription_id, billing_payment.stripe_subscription_id));
  const [payment] = await db
    .select()
    .from(billing_payment)
    .where(
      and(
        eq(billing_payment.user_id, user_id),
        gt(billing_payment.amount_paid_cents, 0),
        ne(billing_payment.status, 'disputed'),
        notExists(reversed),
      ),
    )
    .orderBy(desc(billing_payment.created_at))
    .limit(1);
  if (!payment) return null;
  const { stripe_invoice_id, created_at } = payment;
  const [customer] = await db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.user_id, user_id));
  const paidFor = customer && periodOfPayment(await readCardPeriods(db, customer.id), payment);
  return {
    type: 'payment_received',
    cause: `paid:${stripe_invoice_id}`,
    user_id,
    invoice: stripe_invoice_id,
    // Stripe's page is not stored; the email links to the account instead.
    invoice_url: null,
    tier: paidFor?.tier ?? null,
    period: paidFor ? { start: paidFor.starts_at, end: paidFor.ends_at } : null,
    amount_cents: payment.amount_paid_cents,
    currency: payment.currency,
    again: { paid_at: created_at, refunded_cents: payment.amount_refunded_cents },
  };
}

/** The welcome, only while the membership continues as it says: it renews, at today's price and tier. */
async function welcome(db: Db | Tx, user_id: string): Promise<NoticeOf<'membership_started'> | null> {
  const [row] = await db
    .select({
      subscription: billing_subscription,
      customer_id: memberships.customer_id,
      monthly_pours: tier_definitions.monthly_pours,
    })
    .from(billing_subscription)
    .innerJoin(memberships, isItsMembership)
    .innerJoin(tier_definitions, eq(tier_definitions.tier_name, billing_subscription.tier))
    .where(
      and(
        eq(billing_subscription.user_id, user_id),
        inArray(billing_subscription.status, ['active', 'trialing']),
      ),
    );
  if (!row) return null;
  const { subscription: it } = row;
  const moves = and(eq(billing_act.user_id, user_id), isOpenMove);
  const changes = it.cancel_at_period_end || it.cancel_at || it.paused_from || it.pending_tier;
  if (changes || (await db.$count(billing_act, moves)) > 0) return null;
  return {
    type: 'membership_started',
    cause: `started:${it.stripe_subscription_id}`,
    user_id,
    renewed: (await db.$count(memberships, eq(memberships.customer_id, row.customer_id))) > 1,
    tier: it.tier,
    monthly_cents: monthlyCents(it),
    currency: it.currency,
    tax_behavior: it.tax_behavior,
    next_billing: it.current_period_end,
    monthly_pours: row.monthly_pours,
    // Carried-over pours only counted in the first month.
    carried_pours: 0,
  };
}
