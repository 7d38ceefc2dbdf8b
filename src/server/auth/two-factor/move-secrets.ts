import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Logger } from 'pino';
import type { Db } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { two_factors } from '../../db/schema.ts';
import { resealWebhookSecrets } from '../../webhooks/reseal-secrets.ts';

interface Secrets {
  current: string;
  previous: string;
}

export async function moveSecrets(
  database: { db: Db },
  secrets: Secrets,
  { log, newSecret }: { log: Logger; newSecret(): string },
): Promise<void> {
  const counts = await reencryptSecondFactors(database, secrets);
  const webhooks = await resealWebhookSecrets(database, secrets, newSecret);
  log.info({ ...counts, webhooks }, 'second factors are under AUTH_SECRET now: remove AUTH_SECRET_PREVIOUS');
}

const decryptOrNull = (key: string, data: string) => symmetricDecrypt({ key, data }).catch(() => null);

/** The text encrypted with the current secret; null if neither secret opens it. */
async function reencrypt({ current, previous }: Secrets, data: string): Promise<string | null> {
  if ((await decryptOrNull(current, data)) !== null) return data;
  const text = await decryptOrNull(previous, data);
  return text === null ? null : symmetricEncrypt({ key: current, data: text });
}

/**
 * Re-encrypts second factors and backup codes from the previous AUTH_SECRET to the current one, so that authenticator apps
 * continue to work. Doing it again changes nothing. `lost` counts those that neither secret opens.
 */
export async function reencryptSecondFactors(
  { db }: { db: Db },
  secrets: Secrets,
): Promise<{ kept: number; lost: number }> {
  return db.transaction(async (tx) => {
    const rows = await tx.select().from(two_factors).for('update');
    const counts = { kept: 0, lost: 0 };
    for (const row of rows) {
      const [secret, backupCodes] = [
        await reencrypt(secrets, row.secret),
        await reencrypt(secrets, row.backupCodes),
      ];
      if (secret === null || backupCodes === null) {
        counts.lost += 1;
        continue;
      }
      await tx.update(two_factors).set({ secret, backupCodes }).where(eq(two_factors.id, row.id));
      counts.kept += 1;
    }
    return counts;
  });
}
