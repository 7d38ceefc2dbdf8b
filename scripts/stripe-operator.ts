import type { Billing } from '../src/server/billing/index.ts';
import { composeBasics, composeBilling } from '../src/server/compose.ts';
import { ConfigurationError } from '../src/server/config/config-error.ts';
import { DataDirInUse, lockDataDir } from '../src/server/config/data-dir-lock.ts';
import { type Env, readEnv } from '../src/server/config/env.ts';
import { type StripeMode, stripeModeOf } from '../src/server/config/stripe-mode.ts';
import { claimStripeMode } from '../src/server/db/claim-stripe-mode.ts';
import type { Db } from '../src/server/db/client.ts';
import { openDatabase, settingsOf, stripeSettings, systemOf } from '../src/server/main.ts';
import { askServer } from './admin-request.ts';

const WORDS: Record<StripeMode, string> = {
  live: 'live mode: real money',
  test: 'test mode: no money moves',
  demo: 'the demo',
};

export const modeInWords = (mode: StripeMode) => WORDS[mode];

/**
 * Lets billing work, beside a server or without one. With a Postgres server it works in this process, with this
 * environment. The embedded database allows one process, so there a server that runs is asked over its admin socket
 * (`path`), and its own configuration counts. Throws ConfigurationError.
 */
async function withBilling<T>(
  env: Env,
  path: string,
  work: (billing: Billing, db: Db) => Promise<T>,
): Promise<T> {
  if (!env.DATABASE_URL || !env.STRIPE_SECRET_KEY) {
    const answer = await askServer(env.DATA_DIR, 'POST', path);
    if (answer) return answer as T;
  }
  if (!env.STRIPE_SECRET_KEY) {
    throw new ConfigurationError([`STRIPE_SECRET_KEY is needed, or a server that runs on ${env.DATA_DIR}`]);
  }
  const stripe = stripeSettings(env, { withoutWebhookSecret: true });
  const lock = env.DATABASE_URL ? null : lockDataDir(env.DATA_DIR);
  try {
    const database = await openDatabase(env, { stripeMode: stripeModeOf(stripe) });
    try {
      // Stores emails only; the server sends them when it runs.
      const settings = { ...settingsOf(env), stripe, smtpUrl: null };
      const basics = composeBasics(settings, systemOf({ LOG_LEVEL: 'silent' }), database.db);
      return await work(composeBilling(settings, basics), database.db);
    } finally {
      await database.close();
    }
  } finally {
    lock?.release();
  }
}

/** Runs a command that takes no arguments, and ends the process with what `run` answers. Explains what it throws. */
export async function runStripeCommand<T>(command: {
  usage: string;
  path: string;
  /** Whether the command decides the mode of a database that has none. */
  claims: boolean;
  work(billing: Billing): Promise<T>;
  /** Prints the answer, and returns the exit code. */
  report(answer: T): number;
}): Promise<void> {
  if (process.argv.length > 2) {
    console.error(command.usage);
    process.exit(2);
  }
  try {
    const env = readEnv(process.env, { withoutWebhookSecret: true });
    const answer = await withBilling(env, command.path, async (billing, db) => {
      if (command.claims)
        await claimStripeMode(
          db,
          stripeModeOf(stripeSettings(env, { withoutWebhookSecret: true })),
          new Date(),
        );
      return command.work(billing);
    });
    process.exitCode = command.report(answer);
  } catch (error) {
    const explained = error instanceof ConfigurationError || error instanceof DataDirInUse;
    console.error(explained ? error.message : error);
    process.exitCode = 1;
  }
}
