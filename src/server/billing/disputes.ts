import type Stripe from 'stripe';

/** How a dispute ends for which the bank takes nothing. */
const KEPT = new Set(['won', 'warning_closed', 'prevented']);

/**
 * The charges that the payer's bank disputes, or took back. `disputed` of a charge stays true after the club won, so Stripe
 * is asked how each dispute stands. Throws Stripe's errors.
 */
export async function disputedCharges(stripe: Stripe, charges: Stripe.Charge[]): Promise<Stripe.Charge[]> {
  const asked = charges
    .filter(({ disputed }) => disputed)
    .map(async (charge) => {
      const { data } = await stripe.disputes.list({ charge: charge.id, limit: 100 });
      return data.length > 0 && data.every(({ status }) => KEPT.has(status)) ? [] : [charge];
    });
  return (await Promise.all(asked)).flat();
}
