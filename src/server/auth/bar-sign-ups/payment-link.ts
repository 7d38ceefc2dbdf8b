import { Refusal } from '../../../contract/refusals.ts';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { approvedTier } from '../../../domain/application.ts';
import type { Db } from '../../db/client.ts';
import { and, eq, isNull, or } from '../../db/orm.ts';
import { membership_applications, payment_link, profiles } from '../../db/schema.ts';
import type { PaymentOrder, PaymentPages } from '../../membership/membership-context.ts';
import { getTier } from '../../membership/tiers.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import { assertNotExpired, hashOfSecret, hasToken } from '../../platform/secret-link.ts';

// Rules: docs/rules/membership.md, "Signing up at the bar". Nobody is signed in here: the caller has only the token.

/** Requests for the payment page per link; the window is in seconds. */
const PAGES = { max: 20, window: 3600 };
/** Checks at Stripe per link, after a phone came back from payment; the window is in seconds. */
const LOOKS = { max: 60, window: 3600 };

export interface PaymentLinkContext {
  db: Db;
  now(): Date;
  newId(): string;
  /** ISO code in lowercase. */
  currency: string;
  announce(announcement: string): void;
  paymentPages: PaymentPages;
}

/**
 * The link for a token. Any browser may use it until one of them continues to payment; then only that browser may, even
 * after the link has expired. Throws Refusal LINK_INVALID, LINK_EXPIRED.
 */
async function followLink(
  { db, now }: Pick<PaymentLinkContext, 'db' | 'now'>,
  token: string,
  browser: string | undefined,
) {
  const [row] = await db
    .select({
      link: payment_link,
      application: membership_applications,
      profile: { first_name: profiles.first_name, email: profiles.email },
    })
    .from(payment_link)
    .innerJoin(membership_applications, eq(membership_applications.id, payment_link.application_id))
    .innerJoin(profiles, eq(profiles.id, payment_link.user_id))
    .where(hasToken(payment_link, token));
  if (!row) throw new Refusal('LINK_INVALID');
  const { browser_hash } = row.link;
  // The browser that went on to payment.
  const isOwnBrowser = browser !== undefined && browser_hash === hashOfSecret(browser);
  if (browser_hash && !isOwnBrowser) throw new Refusal('LINK_INVALID');
  if (!isOwnBrowser) {
    if (row.application.status !== 'pending') throw new Refusal('LINK_INVALID');
    assertNotExpired(row.link, now());
  }
  return { ...row, isOwnBrowser };
}

/**
 * The sign-up behind a link. For the browser that went on to payment, it also asks Stripe whether the payment arrived, so
 * that a lost webhook is harmless. Throws Refusal LINK_INVALID, LINK_EXPIRED, TOO_MANY_ATTEMPTS, and Stripe's errors.
 */
export async function readPaymentLink(
  ctx: PaymentLinkContext,
  { token, browser }: { token: string; browser?: string | undefined },
): Promise<{ state: 'offer' | 'paid'; first_name: string; email: string; tier: TierDefinition }> {
  const { db, now, announce } = ctx;
  let visit = await followLink(ctx, token, browser);
  const { application_id, user_id, opened_at } = visit.link;
  if (visit.isOwnBrowser && visit.application.status === 'pending') {
    await consumeRateLimit(ctx, `payment-link-look|${application_id}`, LOOKS);
    await ctx.paymentPages.look(user_id);
    visit = await followLink(ctx, token, browser);
  }
  if (!opened_at) {
    await db
      .update(payment_link)
      .set({ opened_at: now() })
      .where(and(eq(payment_link.application_id, application_id), isNull(payment_link.opened_at)));
    announce(`membership ${user_id}`);
  }
  const { application, profile } = visit;
  // Staff have rejected the application meanwhile.
  if (application.status === 'rejected') throw new Refusal('LINK_INVALID');
  return {
    state: application.status === 'approved' ? 'paid' : 'offer',
    ...profile,
    tier: await getTier(ctx, { tier_name: approvedTier(application.selected_tier) }),
  };
}

/**
 * The URL of the payment page, for a month or a year. The first browser that asks claims the link; asking again for the same
 * period gives the same page. Throws Refusal LINK_INVALID, LINK_EXPIRED, ALREADY_MEMBER, TOO_MANY_ATTEMPTS, and what opening
 * the page throws.
 */
export async function payByLink(
  ctx: PaymentLinkContext,
  {
    token,
    browser,
    ...order
  }: { token: string; browser: string; period?: PaymentOrder['period']; consentVersion: string },
): Promise<{ url: string }> {
  const { db, now, paymentPages, announce } = ctx;
  const { application } = await followLink(ctx, token, browser);
  const { id: applicationId, user_id, status } = application;
  if (status !== 'pending') throw new Refusal(status === 'approved' ? 'ALREADY_MEMBER' : 'LINK_INVALID');
  await consumeRateLimit(ctx, `payment-link|${applicationId}`, PAGES);
  const browser_hash = hashOfSecret(browser);
  const rows = await db
    .update(payment_link)
    .set({ browser_hash, continued_at: now() })
    .where(
      and(
        hasToken(payment_link, token),
        or(isNull(payment_link.browser_hash), eq(payment_link.browser_hash, browser_hash)),
      ),
    )
    .returning({ id: payment_link.application_id });
  // Another browser was faster, or staff made a new link.
  if (rows.length === 0) throw new Refusal('LINK_INVALID');
  const tierName = approvedTier(application.selected_tier);
  const page = await paymentPages.open(user_id, { tierName, applicationId, byLink: true, ...order });
  announce(`membership ${user_id}`);
  return page;
}
