import { Refusal } from '../../contract/refusals.ts';
import type { TierDefinition } from '../../contract/tiers.ts';
import { eq } from '../db/orm.ts';
import { stripe_setup } from '../db/schema.ts';
import { listTiers } from '../membership/tiers.ts';
import type { BillingDeps } from './billing-context.ts';
import { assertPaymentsOn } from './payments-off.ts';

export const TRY_OUT = 'trial';

/** What Stripe refused in staff's last answered try-out; null if nothing, or if there was no such try-out. */
export async function tryOutRefusal({ db }: Pick<BillingDeps, 'db'>): Promise<string | null> {
  const [row] = await db.select().from(stripe_setup).where(eq(stripe_setup.kind, TRY_OUT));
  return row?.refusal ?? null;
}

/** Throws Refusal PAYMENTS_OFF without a key, JOINING_CLOSED while Stripe's last answer to a try-out was a refusal. */
export async function refuseWhileClosed(deps: Pick<BillingDeps, 'db' | 'payments'>): Promise<void> {
  assertPaymentsOn(deps);
  if ((await tryOutRefusal(deps)) !== null) throw new Refusal('JOINING_CLOSED');
}

/** A tier that someone who is not signed in can join. Throws Refusal TIER_NOT_AVAILABLE, PAYMENTS_OFF, JOINING_CLOSED. */
export async function getTierOnOffer(
  { billing }: { billing: Pick<BillingDeps, 'db' | 'payments' | 'currency'> },
  { tier_name }: { tier_name: string },
): Promise<TierDefinition> {
  await refuseWhileClosed(billing);
  const tier = (await listTiers(billing)).find((it) => it.tier_name === tier_name);
  if (!tier) throw new Refusal('TIER_NOT_AVAILABLE');
  return tier;
}
