import { ConfigurationError } from '../config/config-error.ts';
import type { Env } from '../config/env.ts';
import { hasGeneratedSecrets } from '../config/generated-secrets.ts';
import type { Db } from '../db/client.ts';
import { profiles } from '../db/schema.ts';

/**
 * Throws ConfigurationError in production if accounts on a Postgres server were made with a secret that this data folder
 * does not have. A new secret would sign everyone out, and differ from that of other servers on the database.
 */
export async function assertSecretKept(db: Db, env: Env): Promise<void> {
  const needed = env.NODE_ENV === 'production' && env.DATABASE_URL && !env.AUTH_SECRET;
  if (!needed || hasGeneratedSecrets(env.DATA_DIR)) return;
  const [account] = await db.select({ id: profiles.id }).from(profiles).limit(1);
  if (!account) return;
  throw new ConfigurationError([
    'AUTH_SECRET is required: the database has accounts, and DATA_DIR does not hold the secret that they were made with.',
    'Use the previous data folder, or set AUTH_SECRET to the secret in its secrets.json. All servers on a database must share it.',
  ]);
}
