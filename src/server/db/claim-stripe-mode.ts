import { ConfigurationError } from '../config/config-error.ts';
import type { StripeMode } from '../config/stripe-mode.ts';
import { sql } from './orm.ts';
import { rowsOf } from './results.ts';
import { stripe_mode } from './schema.ts';
import type { Db } from './transaction.ts';

/** The contents of a database in each mode, as the rest of a sentence that begins with "The database holds". */
const HELD: Record<StripeMode, string> = {
  live: 'real payments',
  test: 'payments of Stripe’s test mode',
  demo: 'payments of the demo',
};

const CONFIGURED: Record<StripeMode, string> = {
  live: 'STRIPE_SECRET_KEY is a live key',
  test: 'STRIPE_SECRET_KEY is a test key',
  demo: 'this start is the demo (no STRIPE_SECRET_KEY, or STRIPE_API_URL is set)',
};

/** The mode of the database's payments; null before the first start with payments on. */
export async function storedStripeMode(db: Db): Promise<StripeMode | null> {
  const [row] = await db.select().from(stripe_mode);
  return row?.mode ?? null;
}

/** A sentence about the conflict between the two modes; null if there is none. `ownMode` is null while payments are off. */
export function describeModeConflict(
  storedMode: StripeMode | null,
  ownMode: StripeMode | null,
): string | null {
  if (storedMode === null || storedMode === ownMode) return null;
  return `the database holds ${HELD[storedMode]}, but ${ownMode ? CONFIGURED[ownMode] : 'STRIPE_SECRET_KEY is not set'}`;
}

/**
 * Sets the database's mode at its first start with payments on. Throws ConfigurationError, before anything is written, if
 * the database has another mode: its customers, prices and subscriptions do not exist in this one. `mode` is null while
 * payments are off, which is refused too once the database has a mode.
 */
export async function claimStripeMode(db: Db, mode: StripeMode | null, now: Date): Promise<void> {
  if ((await storedStripeMode(db)) === null && mode === 'live' && (await hasPayments(db))) {
    throw new ConfigurationError([
      'the database holds payments from before their mode was recorded, and STRIPE_SECRET_KEY is a live key.',
      'If they were made in test mode or by the demo: cellar-door leave-test-mode ends them; everything else stays.',
      "If they are real, say so in the database: insert into stripe_mode (mode, since) values ('live', now());",
    ]);
  }
  if (mode) await db.insert(stripe_mode).values({ mode, since: now }).onConflictDoNothing();
  const storedMode = await storedStripeMode(db);
  const conflict = describeModeConflict(storedMode, mode);
  if (conflict)
    throw new ConfigurationError([`${conflict}. Nothing was changed.`, ...adviceFor(storedMode, mode)]);
}

function adviceFor(storedMode: StripeMode | null, ownMode: StripeMode | null): string[] {
  const advice = 'name another DATABASE_URL or DATA_DIR for this start.';
  if (storedMode === 'live')
    return [`To keep the real payments, put the live key back. To try something out, ${advice}`];
  return [
    `To keep ${storedMode === 'demo' ? 'the demo' : 'the test payments'}, ${ownMode ? advice : 'put the key back.'}`,
    'To continue with this database: cellar-door leave-test-mode. It says what it will end and delete, and asks first.',
  ];
}

async function hasPayments(db: Db): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    sql`select exists (select from billing_customer) or exists (select from tier_price) as found`,
  );
  return row?.found ?? false;
}
