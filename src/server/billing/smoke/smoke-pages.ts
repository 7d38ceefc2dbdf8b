import type Stripe from 'stripe';
import { YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import type { BillingDeps } from '../billing-context.ts';
import { productId } from '../catalog.ts';
import { giftPage } from '../gifts/gift-page.ts';
import { membershipPage, yearPage } from '../page-params.ts';
import { methodPageParams } from '../request-params.ts';
import { portalConfigurationId } from '../setup/portal-configuration.ts';
import { isPresent } from './smoke-look.ts';
import { differences, type Recorder } from './smoke-report.ts';
import type { Stage } from './smoke-stage.ts';

const PAGE_MS = 60 * 60_000;

function tryPage(
  { stripe, paymentMethods }: BillingDeps,
  { step }: Recorder,
  about: string,
  params: Stripe.Checkout.SessionCreateParams,
) {
  const offersCards = (methods: unknown) => Array.isArray(methods) && methods.includes('card');
  return step(
    about,
    async () => {
      const opened = await stripe.checkout.sessions.create(params);
      const expired = await stripe.checkout.sessions.expire(opened.id);
      return { opened, expired };
    },
    ({ opened, expired }) => [
      ...differences(opened, {
        status: 'open',
        mode: params.mode,
        url: isPresent,
        metadata: params.metadata,
        payment_method_types: paymentMethods === 'card' ? offersCards : () => true,
      }),
      ...differences(expired, { status: 'expired', id: opened.id }),
    ],
  );
}

export function tryMembershipPage(
  deps: BillingDeps,
  recorder: Recorder,
  { id, customer, tier, price }: { id: string; customer: string; tier: string; price: string },
) {
  const attempt = {
    id,
    user_id: id,
    application_id: id,
    tier_name: tier,
    by_link: false,
    first_charge_at: null,
    expires_at: new Date(deps.now().getTime() + PAGE_MS),
  };
  return tryPage(deps, recorder, 'page for a membership', membershipPage(deps, attempt, { customer, price }));
}

/** Opens and closes each kind of page that members are sent to. */
export async function tryPages(deps: BillingDeps, recorder: Recorder, stage: Stage): Promise<void> {
  const { id, buyer, tiers } = stage;
  const [tier] = tiers;
  await tryMembershipPage(deps, recorder, { id, customer: buyer, tier: tier.tier_name, price: tier.price });
  const year = {
    ...{ id, user_id: id, application_id: id, tier_name: tier.tier_name, by_link: false },
    ...{ amount_cents: YEAR_MONTHS * tier.amount_cents, months: YEAR_MONTHS, from_tier: null },
    expires_at: new Date(deps.now().getTime() + PAGE_MS),
  };
  const product = productId(tier.tier_name);
  const sold = { customer: buyer, product, currency: deps.currency, tier: tier.tier_name };
  await tryPage(deps, recorder, 'page for a year', yearPage(deps, year, sold));
  const gift = {
    id,
    tier: tier.tier_name,
    months: 3,
    currency: deps.currency,
    monthly_price_cents: tier.amount_cents,
    tax_behavior: deps.taxBehavior,
    expires_at: new Date(deps.now().getTime() + PAGE_MS),
  };
  await tryPage(deps, recorder, 'page for a gift', giftPage(deps, gift, { buyer: id, customer: buyer }));
  await recorder.step(
    'page for the payment method',
    async () =>
      deps.stripe.billingPortal.sessions.create(
        methodPageParams(buyer, `${deps.publicUrl}/account`, await portalConfigurationId(deps)),
      ),
    (session) => differences(session, { url: isPresent, customer: buyer }),
  );
}
