import { createHash } from 'node:crypto';
import { eq, lt } from '../db/orm.ts';
import { stripe_key_failure } from '../db/schema.ts';
import type { BillingDeps } from './billing-context.ts';
import { isReplayed } from './stripe-errors.ts';

type Deps = Pick<BillingDeps, 'db' | 'now'>;

/** Much longer than Stripe stores a key. */
const KEPT_MS = 30 * 86_400_000;

/**
 * Makes a request at Stripe that creates, charges or refunds something, under a key shared by all processes, so that it
 * happens once. Stripe repeats its first answer to a key for a day, even a 500; failures are counted in the next key, so
 * that a retry is a new request. Before retrying, the caller must check what the failed request did after all. Requests
 * that set a state need no key. Throws what `request` throws.
 */
export async function withKey<T>(
  deps: Deps,
  name: string,
  request: (options: { idempotencyKey: string }) => Promise<T>,
): Promise<T> {
  const key = createHash('sha256').update(name).digest('hex');
  const failures = await failuresOf(deps, key);
  try {
    return await request({ idempotencyKey: failures > 0 ? `${name}:${failures}` : name });
  } catch (error) {
    if (isReplayed(error)) await countFailure(deps, key, failures);
    throw error;
  }
}

async function failuresOf({ db }: Deps, key: string): Promise<number> {
  const [row] = await db.select().from(stripe_key_failure).where(eq(stripe_key_failure.key, key));
  return row?.failures ?? 0;
}

/** Counts a failure once across processes that got the same answer. */
async function countFailure({ db, now }: Deps, key: string, before: number): Promise<void> {
  const row = { failures: before + 1, failed_at: now() };
  await db
    .insert(stripe_key_failure)
    .values({ key, ...row })
    .onConflictDoUpdate({
      target: stripe_key_failure.key,
      set: row,
      setWhere: eq(stripe_key_failure.failures, before),
    });
  const forgotten = new Date(row.failed_at.getTime() - KEPT_MS);
  await db.delete(stripe_key_failure).where(lt(stripe_key_failure.failed_at, forgotten));
}
