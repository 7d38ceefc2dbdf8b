import { keyFor } from '../config/purpose-key.ts';
import type { Db } from '../db/client.ts';
import { eq } from '../db/orm.ts';
import { webhook_endpoint } from '../db/schema.ts';
import { openSecret, sealSecret } from '../platform/sealed-secret.ts';

/**
 * Re-encrypts endpoints' secrets from the previous AUTH_SECRET to the current one, so that they continue to sign. Doing it
 * again changes nothing. `lost` counts those that neither opens: the sender turns their endpoints off.
 */
export async function resealWebhookSecrets(
  { db }: { db: Db },
  secrets: { current: string; previous: string },
  newSecret: () => string,
): Promise<{ kept: number; lost: number }> {
  const current = keyFor(secrets.current, 'webhooks/v1');
  const previous = keyFor(secrets.previous, 'webhooks/v1');
  /** Null if neither secret opens it. */
  const reseal = (ciphertext: string, owner: string): string | null => {
    if (openSecret(current, ciphertext, owner) !== null) return ciphertext;
    const secret = openSecret(previous, ciphertext, owner);
    return secret && sealSecret(current, secret, { of: owner, random: newSecret() });
  };
  return db.transaction(async (tx) => {
    const counts = { kept: 0, lost: 0 };
    for (const row of await tx.select().from(webhook_endpoint).for('update')) {
      const secret = reseal(row.secret, row.id);
      if (secret === null) {
        counts.lost += 1;
        continue;
      }
      const previous_secret = row.previous_secret && reseal(row.previous_secret, row.id);
      const previous_until = previous_secret === null ? null : row.previous_until;
      await tx
        .update(webhook_endpoint)
        .set({ secret, previous_secret, previous_until })
        .where(eq(webhook_endpoint.id, row.id));
      counts.kept += 1;
    }
    return counts;
  });
}
