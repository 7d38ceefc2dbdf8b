import { symmetricDecrypt } from 'better-auth/crypto';
import { ConfigurationError } from '../config/config-error.ts';
import type { Env } from '../config/env.ts';
import { storedSecrets } from '../config/generated-secrets.ts';
import { keyFor } from '../config/purpose-key.ts';
import type { Db } from '../db/client.ts';
import type { Query } from '../db/move/tables.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { readFingerprint, writeFingerprint } from '../db/secret-fingerprint.ts';
import { openSecret } from '../platform/sealed-secret.ts';

type SecretEnv = Pick<Env, 'AUTH_SECRET' | 'AUTH_SECRET_PREVIOUS' | 'DATA_DIR'>;

/** A short hash of a secret, from which the secret cannot be found. */
const fingerprintOf = (secret: string): string => keyFor(secret, 'secret-fingerprint/v1', 8).toString('hex');

const LOST = 'If it is lost for good: cellar-door forget-secret, which says what that ends, and asks first.';

/**
 * Why this start must not use the database with its AUTH_SECRET, in lines, with the way back; null if it may. A database
 * that an earlier version made has no fingerprint: then what it holds encrypted decides. Throws SecretsDamagedError.
 */
export async function describeSecretConflict(query: Query, env: SecretEnv): Promise<string[] | null> {
  const ownSecret = generatedSecret(env);
  const current = env.AUTH_SECRET ?? ownSecret;
  const secrets = [current, env.AUTH_SECRET_PREVIOUS].filter((it) => it !== undefined);
  const fingerprint = await readFingerprint(query);
  const fits = fingerprint
    ? async (secret: string) => fingerprintOf(secret) === fingerprint
    : await sealedEvidence(query);
  if (current === undefined) {
    if (!fingerprint && !(await hasAccounts(query))) return null;
    return [
      'AUTH_SECRET is required: the database has accounts, and DATA_DIR does not hold the secret that they were made with.',
      'Use the previous data folder, or set AUTH_SECRET to the secret in its secrets.json, or in that of a backup. All servers on a database must share it.',
      LOST,
    ];
  }
  for (const secret of secrets) if (await fits(secret)) return null;
  const source = env.AUTH_SECRET ? 'AUTH_SECRET' : 'The secret in secrets.json of DATA_DIR';
  const inFolder = env.AUTH_SECRET && ownSecret && (await fits(ownSecret));
  return [
    `${source} is not the one that this database was made with. Nothing was changed.`,
    inFolder
      ? 'The right one is in secrets.json of DATA_DIR: remove AUTH_SECRET, or set AUTH_SECRET_PREVIOUS to it for one start.'
      : 'Put back the one used before, from the old environment or a backup. To change it on purpose, set AUTH_SECRET_PREVIOUS to the one before, for one start.',
    LOST,
  ];
}

/** The secret in the data folder. With AUTH_SECRET it is only a hint, so that a damaged file is as good as none. */
function generatedSecret({ DATA_DIR, AUTH_SECRET }: SecretEnv): string | undefined {
  try {
    return storedSecrets(DATA_DIR)?.auth;
  } catch (error) {
    if (AUTH_SECRET) return undefined;
    throw error;
  }
}

async function hasAccounts(query: Query): Promise<boolean> {
  return (await query('select from profiles limit 1')).length > 0;
}

/** A test of a secret by what the database holds encrypted; every secret passes if it holds nothing. */
async function sealedEvidence(query: Query): Promise<(secret: string) => Promise<boolean>> {
  const factors = await query<{ secret: string }>('select secret from two_factors limit 20');
  const endpoints = await query<{ id: string; secret: string }>(
    'select id, secret from webhook_endpoint limit 20',
  );
  const [stripe] = await query<{ of: string; sealed: string }>(
    `select sealed_secret::jsonb ->> 0 as of, sealed_secret::jsonb ->> 1 as sealed from stripe_setup
      where sealed_secret is not null`,
  );
  if (factors.length + endpoints.length === 0 && !stripe) return async () => true;
  return async (secret) => {
    for (const { secret: data } of factors) {
      const text = await symmetricDecrypt({ key: secret, data }).catch(() => null);
      if (text !== null) return true;
    }
    const webhookKey = keyFor(secret, 'webhooks/v1');
    if (endpoints.some((it) => openSecret(webhookKey, it.secret, it.id) !== null)) return true;
    const stripeKey = keyFor(secret, 'stripe-webhook/v1');
    return stripe !== undefined && openSecret(stripeKey, stripe.sealed, stripe.of) !== null;
  };
}

/**
 * Throws ConfigurationError, before anything is written, if the database was made with another AUTH_SECRET: second steps
 * and webhooks would fail, and every link and card would end.
 */
export async function assertSecretKept(db: Db, env: SecretEnv): Promise<void> {
  const conflict = await describeSecretConflict((text) => rowsOf(db, sql.raw(text)), env);
  if (conflict) throw new ConfigurationError(conflict);
}

/** Stores the fingerprint of the secret that the database is used with from now on. */
export const recordSecret = (db: Db, secret: string): Promise<void> =>
  writeFingerprint((text) => rowsOf(db, sql.raw(text)), fingerprintOf(secret));
