import { Refusal } from '../../../contract/refusals.ts';
import { addMonths, localDate } from '../../../domain/calendar.ts';
import { type ConsentWords, yearConsent } from '../../../domain/consent.ts';
import { type DuesObstacle, nextMonthTier, YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { eq } from '../../db/orm.ts';
import { tier_definitions } from '../../db/schema.ts';
import { agreedWords } from '../../membership/consents.ts';
import { duesPricesOf } from '../../membership/dues/dues.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { activeMembership } from '../state/local-state.ts';
import { orUnavailable } from '../stripe-errors.ts';
import {
  type CheckoutAttempt,
  closeAttempt,
  createAttempt,
  settleAttempt,
  storeAttemptConsent,
  unsettledAttempt,
} from './checkout-attempts.ts';

/** Each round clears one obstacle; needing more than a few means a bug. */
const MAX_ROUNDS = 5;

/**
 * Returns the URL of the page where a member who pays dues pays another year, for the months after what is paid; the account's
 * once it is paid. A repeated call returns the same page. Throws Refusal DUES_REFUSED, TIER_NOT_AVAILABLE, CONSENT_OUTDATED or
 * PAYMENTS_UNAVAILABLE.
 */
export async function buyYear(
  { billing: ctx, actor: { user_id } }: BillingCall,
  { consentVersion }: { consentVersion?: string | undefined },
): Promise<{ url: string }> {
  return ctx.runInUserQueue(user_id, () =>
    orUnavailable(ctx.log, 'another year', async () => {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { words, ...order } = await validatedOrder(ctx, user_id, consentVersion);
        const open = await unsettledAttempt(ctx, user_id);
        if (open && !isFor(open, order)) {
          await closeAttempt(ctx, open);
          continue;
        }
        const attempt = open ?? (await createAttempt(ctx, order, words));
        if (!attempt) continue;
        // The page is the earlier one, but the consent may be new.
        if (open) await storeAttemptConsent(ctx, ctx.db, open, words);
        const current = await settleAttempt(ctx, attempt);
        if (current.state === 'open') return { url: current.url };
        if (current.state === 'completed') return { url: `${ctx.publicUrl}/account` };
      }
      ctx.log.error({ user_id }, 'Buying another year gave up after too many rounds');
      throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

type YearOrder = Pick<
  CheckoutAttempt,
  'user_id' | 'application_id' | 'tier_name' | 'amount_cents' | 'months' | 'by_link'
>;

const isFor = (open: CheckoutAttempt, { tier_name, amount_cents, months, application_id }: YearOrder) =>
  open.tier_name === tier_name &&
  open.amount_cents === amount_cents &&
  open.months === months &&
  open.application_id === application_id;

async function validatedOrder(
  ctx: BillingContext,
  user_id: string,
  consentVersion: string | undefined,
): Promise<YearOrder & { words: ConsentWords | null }> {
  const membership = await activeMembership(ctx.db, user_id);
  if (!membership) throw refused('not_active');
  const { paid_until, ends_on } = membership;
  if (paid_until === null) throw refused('by_card');
  if (ends_on !== null) throw refused('ending');
  const today = localDate(ctx.now(), ctx.venue.time_zone);
  if (paid_until > addMonths(today, YEAR_MONTHS)) throw refused('paid_ahead');
  const tier_name = nextMonthTier(membership);
  const [tier] = await ctx.db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.tier_name, tier_name));
  const { year_cents } = await duesPricesOf(ctx.db, membership);
  if (!tier || year_cents === null) throw new Refusal('TIER_NOT_AVAILABLE');
  const price = amountWithTax(year_cents, ctx.currency, ctx.taxBehavior);
  const current = yearConsent(ctx.venue, { tier: tier.display_name, price });
  const order = { user_id, tier_name, amount_cents: year_cents, months: YEAR_MONTHS };
  return { ...order, application_id: null, by_link: false, words: agreedWords(consentVersion, current) };
}

const refused = (reason: DuesObstacle) => new Refusal('DUES_REFUSED', { reason });
