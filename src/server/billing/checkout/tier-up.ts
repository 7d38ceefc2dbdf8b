import { Refusal } from '../../../contract/refusals.ts';
import { tierUpConsent } from '../../../domain/consent.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { eq } from '../../db/orm.ts';
import { tier_definitions } from '../../db/schema.ts';
import { agreedWords } from '../../membership/consents.ts';
import { priceTierUp } from '../../membership/dues/tiers-up.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { activeMembership } from '../state/local-state.ts';
import { type MemberOrder, openMemberPage } from './member-page.ts';

interface TierUpOrder {
  tier: string;
  consentVersion?: string | undefined;
}

/**
 * Returns the URL of the page where a member pays for a dearer tier in the months that are left of their year; the account's
 * once it is paid. A repeated call returns the same page. Throws Refusal DUES_REFUSED, TIER_CHANGE_REFUSED,
 * TIER_NOT_AVAILABLE, CONSENT_OUTDATED or PAYMENTS_UNAVAILABLE. docs/rules/years.md, "Up within the year".
 */
export async function buyTierUp(
  { billing: ctx, actor: { user_id } }: BillingCall,
  order: TierUpOrder,
): Promise<{ url: string }> {
  return openMemberPage(ctx, user_id, 'a tier up', () => validatedOrder(ctx, user_id, order));
}

async function validatedOrder(
  ctx: BillingContext,
  user_id: string,
  { tier: tier_name, consentVersion }: TierUpOrder,
): Promise<MemberOrder> {
  const membership = await activeMembership(ctx.db, user_id);
  if (!membership) throw new Refusal('DUES_REFUSED', { reason: 'not_active' });
  const { months, amount_cents } = await priceTierUp(ctx, membership, tier_name);
  const [tier] = await ctx.db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.tier_name, tier_name));
  if (!tier) throw new Refusal('TIER_NOT_AVAILABLE');
  const price = amountWithTax(amount_cents, ctx.currency, ctx.taxBehavior);
  const words = agreedWords(
    consentVersion,
    tierUpConsent(ctx.venue, { tier: tier.display_name, months, price }),
  );
  return { tier_name, amount_cents, months, from_tier: membership.tier, first_charge_at: null, words };
}
