import type { BillingDeps } from '../billing-context.ts';
import { ensurePrice } from '../catalog.ts';
import { tiersOnSale } from '../setup/setup-prices.ts';
import { tryMembershipPage, tryPages } from './smoke-pages.ts';
import { createRecorder, type Recorder, type SmokeReport } from './smoke-report.ts';
import { makeCustomer, makePayer, makeStage, type Undo } from './smoke-stage.ts';
import { trySubscription } from './smoke-subscription.ts';

/**
 * Runs the product's own requests against Stripe once, and reads the answers with its readers. With a live key that is one
 * payment page, which is never paid. Whether it succeeds or fails, it then deletes everything that it made, or archives what
 * Stripe does not delete; a tier's own price stays.
 */
export async function smokeStripe(deps: BillingDeps): Promise<SmokeReport> {
  const recorder = createRecorder();
  const undo: Undo[] = [];
  // Not a user's id, so that the webhook's events affect no member.
  const id = `try_out_${deps.newId().replaceAll('-', '').slice(-12)}`;
  try {
    if (deps.key.mode === 'live') await tryLive(deps, recorder, id, undo);
    else await tryAll(deps, recorder, id, undo);
  } finally {
    await cleanUp(recorder, undo);
  }
  return { mode: deps.key.mode, lines: recorder.lines };
}

async function tryAll(deps: BillingDeps, recorder: Recorder, id: string, undo: Undo[]): Promise<void> {
  const none = () => [];
  const stage = await recorder.step('products and prices', () => makeStage(deps, id, undo), none);
  if (!stage) return;
  await tryPages(deps, recorder, stage);
  const payer = await recorder.step('customer with a test card', () => makePayer(deps, id, undo), none);
  if (payer) await trySubscription(deps, recorder, { ...stage, ...payer });
}

async function tryLive(deps: BillingDeps, recorder: Recorder, id: string, undo: Undo[]): Promise<void> {
  const tier = (await tiersOnSale(deps)).find(({ amount_cents }) => amount_cents > 0);
  if (!tier) return;
  const made = await recorder.step(
    'customer and price',
    async () => ({
      customer: await makeCustomer(deps, id, undo),
      price: await ensurePrice(deps, tier),
    }),
    () => [],
  );
  if (made) await tryMembershipPage(deps, recorder, { id, tier: tier.tier_name, ...made });
}

async function cleanUp({ step }: Recorder, undo: Undo[]): Promise<void> {
  const left: string[] = [];
  await step(
    'clean-up',
    async () => {
      for (const takeBack of undo.toReversed()) {
        await takeBack().catch((error) => left.push(error instanceof Error ? error.message : String(error)));
      }
    },
    () => left.map((why) => `something of it stays at Stripe: ${why}`),
  );
}
