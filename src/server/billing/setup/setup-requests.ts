import { createHash } from 'node:crypto';
import { elapsedMs } from '../../../domain/calendar.ts';
import { and, eq, sql } from '../../db/orm.ts';
import { stripe_setup } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';

type Kind = (typeof stripe_setup.$inferSelect)['kind'];
type Deps = Pick<BillingDeps, 'db' | 'now' | 'newId'>;

/** Stripe keeps an idempotency key for 24 hours; the last one is left as a margin. */
const KEY_LIFETIME_MS = 23 * 3_600_000;

/** The stored state of a request; null before the first. */
export async function storedRow({ db }: Pick<Deps, 'db'>, kind: Kind) {
  const [row] = await db.select().from(stripe_setup).where(eq(stripe_setup.kind, kind));
  return row ?? null;
}

/** The id of this installation's object at Stripe; null if it was never made, or Stripe never answered. */
export async function storedSetupId(deps: Pick<Deps, 'db'>, kind: Kind): Promise<string | null> {
  return (await storedRow(deps, kind))?.stripe_id ?? null;
}

/** Whether a begun request is unanswered and Stripe would still repeat its answer. */
export async function isUnfinished(deps: Deps, kind: Kind): Promise<boolean> {
  const row = await storedRow(deps, kind);
  return row !== null && row.stripe_id === null && !isExpired(deps, row);
}

const isExpired = ({ now }: Deps, { created_at }: { created_at: Date }) =>
  elapsedMs(created_at, now()) > KEY_LIFETIME_MS;

/** Records an object found at Stripe as this installation's own. */
export async function adoptSetupId({ db, now, newId }: Deps, kind: Kind, stripe_id: string): Promise<void> {
  await db
    .insert(stripe_setup)
    .values({ kind, request_id: newId(), stripe_id, created_at: now() })
    .onConflictDoUpdate({
      target: stripe_setup.kind,
      // A secret belongs to the object that it came with.
      set: {
        stripe_id,
        sealed_secret: sql`case when ${stripe_setup.stripe_id} = ${stripe_id} then ${stripe_setup.sealed_secret} end`,
      },
    });
}

/**
 * Creates an object at Stripe and records its id. The request is committed first and names the idempotency key, so the run
 * after an interrupted one gets the same object. `secretOf`: the secret that Stripe shows only now, sealed and stored with
 * the id; the previous one stays until then. Throws Stripe's errors.
 */
export async function createOnce<P extends object, T extends { id: string }>(
  deps: Deps,
  kind: Kind,
  params: P,
  create: (params: P, options: { idempotencyKey: string }) => Promise<T>,
  secretOf: (made: T) => string | null = () => null,
): Promise<T> {
  const { db, now, newId } = deps;
  if (!(await isUnfinished(deps, kind))) {
    const row = { request_id: newId(), stripe_id: null, created_at: now() };
    await db
      .insert(stripe_setup)
      .values({ kind, ...row })
      .onConflictDoUpdate({ target: stripe_setup.kind, set: row });
  }
  const request = await storedRow(deps, kind);
  if (!request) throw new Error(`The request for ${kind} was deleted while it was made`);
  const { request_id } = request;
  // Stripe refuses a reused key with other parameters, so they are part of it.
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 16);
  const key = `${kind}:${request_id}:${digest}`;
  const made = await withKey(deps, key, (options) => create(params, options));
  await db
    .update(stripe_setup)
    .set({ stripe_id: made.id, sealed_secret: secretOf(made) })
    .where(and(eq(stripe_setup.kind, kind), eq(stripe_setup.request_id, request_id)));
  return made;
}
