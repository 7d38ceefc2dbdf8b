import { Refusal } from '../../../contract/refusals.ts';
import { addMonths, localDate } from '../../../domain/calendar.ts';
import { yearConsent } from '../../../domain/consent.ts';
import {
  type DuesObstacle,
  duesPrices,
  nextMonthCents,
  YEAR_MONTHS,
} from '../../../domain/membership/dues.ts';
import { canPayYear } from '../../../domain/membership/year.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { agreedWords } from '../../membership/consents.ts';
import { nextTierOf } from '../../membership/dues/dues.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { openYear } from '../state/acts.ts';
import { currentSubscription } from '../state/current-subscription.ts';
import { activeMembership } from '../state/local-state.ts';
import { type MemberOrder, openMemberPage } from './member-page.ts';

/**
 * Returns the URL of the page where a member pays a year: for the months after the dues that are paid, or from the end of the
 * month that is paid by card; the account's once it is paid. A repeated call returns the same page. Throws Refusal
 * DUES_REFUSED, TIER_NOT_AVAILABLE, CONSENT_OUTDATED or PAYMENTS_UNAVAILABLE.
 */
export async function buyYear(
  { billing: ctx, actor: { user_id } }: BillingCall,
  { consentVersion }: { consentVersion?: string | undefined },
): Promise<{ url: string }> {
  return openMemberPage(ctx, user_id, 'another year', () => validatedOrder(ctx, user_id, consentVersion));
}

async function validatedOrder(
  ctx: BillingContext,
  user_id: string,
  consentVersion: string | undefined,
): Promise<MemberOrder> {
  const membership = await activeMembership(ctx.db, user_id);
  if (!membership) throw refused('not_active');
  const { paid_until, ends_on, stripe_subscription_id } = membership;
  if (stripe_subscription_id !== null) await refuseByCard(ctx, user_id);
  else if (paid_until === null) throw refused('by_card');
  else {
    if (ends_on !== null) throw refused('ending');
    const today = localDate(ctx.now(), ctx.venue.time_zone);
    if (paid_until > addMonths(today, YEAR_MONTHS)) throw refused('paid_ahead');
  }
  const tier = await nextTierOf(ctx.db, membership);
  const { year_cents } = duesPrices(nextMonthCents(membership), tier?.yearly_price_cents ?? null);
  if (!tier || year_cents === null) throw new Refusal('TIER_NOT_AVAILABLE');
  const price = amountWithTax(year_cents, ctx.currency, ctx.taxBehavior);
  const current = yearConsent(ctx.venue, { tier: tier.display_name, price });
  const { tier_name } = tier;
  const order = { tier_name, amount_cents: year_cents, months: YEAR_MONTHS };
  const alone = { from_tier: null, first_charge_at: null };
  return { ...order, ...alone, words: agreedWords(consentVersion, current) };
}

/** Throws unless a year can follow the month that is paid by card. */
async function refuseByCard(ctx: BillingContext, user_id: string): Promise<void> {
  const row = await currentSubscription(ctx, user_id);
  if (!row || !canPayYear(row, ctx.now())) throw refused('by_card');
  if (await openYear(ctx.db, user_id)) throw refused('paid_ahead');
}

const refused = (reason: DuesObstacle) => new Refusal('DUES_REFUSED', { reason });
