import { Refusal } from '../../../contract/refusals.ts';
import { eq } from '../../db/orm.ts';
import { profiles } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { adoptCustomer, getStripeCustomerId } from '../customers/customer.ts';
import { reportUnknown, subscribersWith } from '../customers/unknown-notices.ts';
import { type UnknownSubscription, unknownOfCustomer } from '../customers/unknown-subscriptions.ts';

/** Few people are several customers at Stripe. */
const MAX_CUSTOMERS = 10;

/**
 * Refuses a second payment by a person who pays for one of our prices already, under the same email, as after an older
 * backup was restored; staff get a notice. A customer at Stripe that names this account is recorded as its own. Asks Stripe
 * only for a user without a customer. Throws Refusal SUBSCRIPTION_EXISTS, or EMAIL_NOT_VERIFIED first where emails are
 * confirmed, and Stripe's errors.
 */
export async function refuseSecondPayment(
  ctx: BillingContext,
  userId: string,
  { byLink }: { byLink: boolean },
): Promise<void> {
  const [profile] = await ctx.db.select().from(profiles).where(eq(profiles.id, userId));
  if (!profile || (await getStripeCustomerId(ctx, userId))) return;
  const isPaying = await paysAlready(ctx, userId, profile.email);
  if (!isPaying) return;
  // A stranger who signed up with someone's email does not learn that a membership exists. At the bar, staff signed them up.
  const isTheirs = profile.emailVerified || ctx.verifyEmail === 'off' || byLink;
  throw new Refusal(isTheirs ? 'SUBSCRIPTION_EXISTS' : 'EMAIL_NOT_VERIFIED');
}

async function paysAlready(ctx: BillingContext, userId: string, email: string): Promise<boolean> {
  // Stripe compares emails by case, and ours are in lowercase.
  const { data } = await ctx.stripe.customers.list({ email, limit: MAX_CUSTOMERS });
  const own = data.find(({ metadata }) => metadata.user_id === userId);
  if (own && (await adoptCustomer(ctx, own.id))) return false;
  const customers = new Set([...data.map(({ id }) => id), ...(await subscribersWith(ctx.db, email))]);
  const unknown: UnknownSubscription[] = [];
  for (const customer of customers) unknown.push(...(await unknownOfCustomer(ctx, customer)));
  await reportUnknown(ctx, ctx.db, unknown);
  return unknown.length > 0;
}
