import { Refusal } from '../../../contract/refusals.ts';
import { cardConsent } from '../../../domain/consent.ts';
import type { DuesObstacle } from '../../../domain/membership/dues.ts';
import { firstChargeAt } from '../../../domain/membership/to-card.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { agreedWords } from '../../membership/consents.ts';
import { nextTierOf } from '../../membership/dues/dues.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { activeMembership } from '../state/local-state.ts';
import { refuseSecondPayment } from './existing-subscription.ts';
import { type MemberOrder, openMemberPage } from './member-page.ts';

// Rules: docs/rules/dues.md, "From the venue to a card".

/**
 * Returns the URL of the page where a member who pays dues changes to a card; the account's once it is done. The first charge is
 * for the first unpaid day. A repeated call returns the same page. Throws Refusal DUES_REFUSED, TIER_NOT_AVAILABLE,
 * CONSENT_OUTDATED, SUBSCRIPTION_EXISTS, EMAIL_NOT_VERIFIED or PAYMENTS_UNAVAILABLE.
 */
export async function payByCard(
  { billing: ctx, actor: { user_id } }: BillingCall,
  { consentVersion }: { consentVersion?: string | undefined },
): Promise<{ url: string }> {
  return openMemberPage(ctx, user_id, 'by card', async () => {
    const order = await validatedOrder(ctx, user_id, consentVersion);
    await refuseSecondPayment(ctx, user_id, { byLink: false });
    return order;
  });
}

async function validatedOrder(
  ctx: BillingContext,
  user_id: string,
  consentVersion: string | undefined,
): Promise<MemberOrder> {
  const membership = await activeMembership(ctx.db, user_id);
  if (!membership) throw refused('not_active');
  const { paid_until, ends_on, paused_until } = membership;
  if (paid_until === null) throw refused('by_card');
  if (ends_on !== null) throw refused('ending');
  if (paused_until && paused_until > ctx.now()) throw refused('paused');
  const first_charge_at = firstChargeAt(paid_until, ctx.now(), ctx.venue.time_zone);
  if (first_charge_at === 'too_far') throw refused('paid_ahead');
  const tier = await nextTierOf(ctx.db, membership);
  if (!tier || tier.monthly_price_cents === 0) throw new Refusal('TIER_NOT_AVAILABLE');
  const { tier_name, display_name, monthly_price_cents: amount_cents } = tier;
  const price = amountWithTax(amount_cents, ctx.currency, ctx.taxBehavior);
  const terms = { tier: display_name, price, overdue: first_charge_at === null };
  const words = agreedWords(consentVersion, cardConsent(ctx.venue, terms));
  return { tier_name, amount_cents, months: null, from_tier: null, first_charge_at, words };
}

const refused = (reason: DuesObstacle) => new Refusal('DUES_REFUSED', { reason });
