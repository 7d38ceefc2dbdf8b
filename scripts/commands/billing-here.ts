import type { BillingContext } from '../../src/server/billing/billing-context.ts';
import { composeBasics, composeBilling } from '../../src/server/compose.ts';
import { ConfigurationError } from '../../src/server/config/config-error.ts';
import type { Env } from '../../src/server/config/env.ts';
import { settingsOf, stripeSettings } from '../../src/server/config/settings.ts';
import { stripeModeOf } from '../../src/server/config/stripe-mode.ts';
import { claimStripeMode } from '../../src/server/db/claim-stripe-mode.ts';
import { systemOf } from '../../src/server/main.ts';
import { onDatabase } from './operator.ts';

/**
 * Works with billing in this process, while no server runs on the embedded database. `claims`: sets the mode of a database
 * that has none. Throws ConfigurationError without STRIPE_SECRET_KEY, and DataDirInUse.
 */
export async function withBilling<T>(
  env: Env,
  work: (billing: BillingContext) => Promise<T>,
  { claims } = { claims: false },
): Promise<T> {
  const stripe = stripeSettings(env);
  if (!stripe) {
    throw new ConfigurationError([`STRIPE_SECRET_KEY is needed, or a server that runs on ${env.DATA_DIR}`]);
  }
  const stripeMode = stripeModeOf(stripe);
  const system = systemOf({ LOG_LEVEL: 'silent' });
  // Emails are only queued here; the server sends them when it runs.
  const settings = { ...settingsOf(env), stripe, smtpUrl: null };
  return onDatabase(env, { stripeMode }, async (db) => {
    if (claims) await claimStripeMode(db, stripeMode, system.now());
    return work(composeBilling(settings, await composeBasics(settings, system, db)));
  });
}
