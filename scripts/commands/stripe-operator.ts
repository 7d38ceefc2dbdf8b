import type { Billing } from '../../src/server/billing/index.ts';
import { composeBasics, composeBilling } from '../../src/server/compose.ts';
import { ConfigurationError } from '../../src/server/config/config-error.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { settingsOf, stripeSettings } from '../../src/server/config/settings.ts';
import { type StripeMode, stripeModeOf } from '../../src/server/config/stripe-mode.ts';
import { claimStripeMode } from '../../src/server/db/claim-stripe-mode.ts';
import { systemOf } from '../../src/server/main.ts';
import { runExplained } from '../serve/explain.ts';
import { askServer } from './admin-request.ts';
import { onDatabase } from './operator.ts';

const WORDS: Record<StripeMode, string> = {
  live: 'live mode: real money',
  test: 'test mode: no money moves',
  demo: 'the demo',
};

export const modeInWords = (mode: StripeMode) => WORDS[mode];

interface StripeCommand<T> {
  usage: string;
  /** The path on the admin socket. */
  path: string;
  /** Whether the command decides the mode of a database that has none. */
  claims: boolean;
  work(billing: Billing): Promise<T>;
  /** Prints the answer, and returns the exit code. */
  report(answer: T): number;
}

/**
 * Runs the command's work in billing, with or without a running server. With a Postgres server it runs in this process,
 * with this environment. The embedded database allows one process, so there a running server gets a request over its
 * admin socket, and its own configuration counts. Throws ConfigurationError and DataDirInUse.
 */
async function answerOf<T>({ path, claims, work }: StripeCommand<T>): Promise<T> {
  const env = readEnv(process.env);
  if (!env.DATABASE_URL || !env.STRIPE_SECRET_KEY) {
    const answer = await askServer(env.DATA_DIR, 'POST', path);
    if (answer) return answer as T;
  }
  if (!env.STRIPE_SECRET_KEY) {
    throw new ConfigurationError([`STRIPE_SECRET_KEY is needed, or a server that runs on ${env.DATA_DIR}`]);
  }
  const stripe = stripeSettings(env);
  const stripeMode = stripeModeOf(stripe);
  const system = systemOf({ LOG_LEVEL: 'silent' });
  // Only queues emails; the server sends them when it runs.
  const settings = { ...settingsOf(env), stripe, smtpUrl: null };
  return onDatabase(env, { stripeMode }, async (db) => {
    if (claims) await claimStripeMode(db, stripeMode, system.now());
    return work(composeBilling(settings, await composeBasics(settings, system, db)));
  });
}

/** Runs a command that takes no arguments. Sets the process's exit code, and explains what went wrong. */
export async function runStripeCommand<T>(command: StripeCommand<T>): Promise<void> {
  if (process.argv.length > 2) {
    console.error(command.usage);
    process.exit(2);
  }
  await runExplained(async () => command.report(await answerOf(command)));
}
