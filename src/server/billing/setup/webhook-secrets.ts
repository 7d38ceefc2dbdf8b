import { keyFor } from '../../config/purpose-key.ts';
import type { Db } from '../../db/client.ts';
import { eq, isNotNull } from '../../db/orm.ts';
import { stripe_setup } from '../../db/schema.ts';
import { openSecret, sealSecret } from '../../platform/sealed-secret.ts';
import type { BillingDeps } from '../billing-context.ts';
import { storedRow } from './setup-requests.ts';

type Deps = Pick<BillingDeps, 'db' | 'sealing' | 'webhookSecrets'>;

/** Seals the secret, which Stripe shows once, for storing; null if this process may not store it. */
export function sealWebhookSecret(
  { sealing }: Pick<BillingDeps, 'sealing'>,
  { id, secret }: { id: string; secret?: string | undefined },
): string | null {
  if (!sealing || !secret) return null;
  return JSON.stringify([id, sealSecret(sealing.key, secret, { of: id, random: sealing.newSecret() })]);
}

function unseal(key: Buffer, stored: string): { endpoint: string; secret: string } | null {
  const [endpoint, sealed] = JSON.parse(stored) as [string, string];
  const secret = openSecret(key, sealed, endpoint);
  return secret === null ? null : { endpoint, secret };
}

/** The signing secret that set-up stored, and its endpoint; null if there is none, or AUTH_SECRET has changed. */
export async function keptWebhookSecret({ db, sealing }: Pick<Deps, 'db' | 'sealing'>) {
  const stored = sealing && (await storedRow({ db }, 'webhook_endpoint'))?.sealed_secret;
  return stored ? unseal(sealing.key, stored) : null;
}

/** Every secret that may have signed an event: STRIPE_WEBHOOK_SECRET, and the one that the set-up stored. */
export async function* webhookSecretsOf(deps: Deps): AsyncGenerator<string> {
  yield* deps.webhookSecrets;
  const kept = await keptWebhookSecret(deps);
  if (kept) yield kept.secret;
}

/**
 * Re-encrypts the stored secret from the previous AUTH_SECRET to the current one. Doing it again changes nothing; a secret
 * that neither opens stays, and setting up replaces its endpoint.
 */
export async function resealStripeSecret(
  { db }: { db: Db },
  secrets: { current: string; previous: string },
  newSecret: () => string,
): Promise<void> {
  const current = keyFor(secrets.current, 'stripe-webhook/v1');
  const previous = keyFor(secrets.previous, 'stripe-webhook/v1');
  await db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(stripe_setup)
      .where(isNotNull(stripe_setup.sealed_secret))
      .for('update');
    for (const { kind, sealed_secret } of rows) {
      const kept = sealed_secret && unseal(previous, sealed_secret);
      if (!kept) continue;
      const sealing = { key: current, newSecret };
      const moved = sealWebhookSecret({ sealing }, { id: kept.endpoint, secret: kept.secret });
      await tx.update(stripe_setup).set({ sealed_secret: moved }).where(eq(stripe_setup.kind, kind));
    }
  });
}
