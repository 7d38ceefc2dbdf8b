import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { dataFolder } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

// docs/run/back-up.md, "The embedded database".

const folder = dataFolder();
let sandbox: Sandbox;
let file: string;
let withStripe: Record<string, string>;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  withStripe = {
    DATA_DIR: folder.path,
    PUBLIC_URL: 'https://club.example',
    STRIPE_API_URL: sandbox.url,
    STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
  };
  expect(await runHere('stripe setup', [], withStripe)).toMatchObject({ code: 0 });
  const backups = join(folder.path, 'elsewhere');
  expect(await runHere('backup', [backups], withStripe)).toMatchObject({ code: 0 });
  file = join(backups, readdirSync(backups)[0] ?? '');
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

/** Restores into an empty folder. */
async function restore(env: Record<string, string>) {
  const empty = dataFolder();
  try {
    return await runHere('restore', [file], { ...env, DATA_DIR: empty.path });
  } finally {
    empty.remove();
  }
}

it('a restore names who joined by card after the backup, and where to connect them', async () => {
  const { stripeSecretKey: secretKey, url: apiUrl } = sandbox;
  const stripe = createStripe({ secretKey, apiUrl, maxNetworkRetries: 0 });
  const price = (await stripe.prices.list()).data.find(({ metadata }) => metadata.tier === 'select');
  expect((await restore(withStripe)).output).not.toContain('have no account');
  const customer = await stripe.customers.create({ email: 'ada@example.test', name: 'Ada Vine' });
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price?.id }],
    default_payment_method: card.id,
  });
  const { code, output } = await restore(withStripe);
  expect(code).toBe(0);
  expect(output).toContain('These pay at Stripe and have no account in this backup:');
  expect(output).toMatch(
    new RegExp(`Ada Vine \\(ada@example.test\\): Select, \\$39.00 per month since .*, ${id}`),
  );
  expect(output).toContain('Find Subscriptions at https://club.example/staff/members/import');
}, 60_000);

it('a restore without a key, or with a Stripe that does not answer, says what to run later', async () => {
  const { STRIPE_SECRET_KEY: _, ...keyless } = withStripe;
  const away = { ...withStripe, STRIPE_API_URL: 'http://127.0.0.1:9' };
  for (const [env, why] of [
    [{ ...keyless, STRIPE_API_URL: '' }, 'without STRIPE_SECRET_KEY'],
    [away, 'Stripe could not be compared'],
  ] as const) {
    const { code, output } = await restore(env);
    expect(output).toContain(why);
    expect(output).toContain('run cellar-door stripe replay');
    expect(code).toBe(0);
  }
}, 60_000);
