import type { Logger } from 'pino';
import type { Db } from '../../db/client.ts';
import { resealWebhookSecrets } from '../../webhooks/reseal-secrets.ts';
import { reencryptSecondFactors } from './reencrypt.ts';

/**
 * Re-encrypts everything that AUTH_SECRET encrypts in the database with the current one. Doing it again changes nothing.
 */
export async function moveSecrets(
  database: { db: Db },
  secrets: { current: string; previous: string },
  { log, newSecret }: { log: Logger; newSecret(): string },
): Promise<void> {
  const counts = await reencryptSecondFactors(database, secrets);
  const webhooks = await resealWebhookSecrets(database, secrets, newSecret);
  log.info({ ...counts, webhooks }, 'second factors are under AUTH_SECRET now: remove AUTH_SECRET_PREVIOUS');
}
