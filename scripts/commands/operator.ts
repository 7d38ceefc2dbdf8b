import { type Basics, composeBasics } from '../../src/server/compose.ts';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import type { Env } from '../../src/server/config/env.ts';
import { settingsOf } from '../../src/server/config/settings.ts';
import { stripeModeOf } from '../../src/server/config/stripe-mode.ts';
import type { Db, OpenOptions } from '../../src/server/db/client.ts';
import { openDatabase, systemOf } from '../../src/server/main.ts';

/**
 * Works on the database directly, for when no server runs. With a Postgres server several processes may work at once;
 * the embedded database allows one. Throws DataDirInUse.
 */
export async function onDatabase<T>(
  env: Env,
  options: OpenOptions,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const lock = env.DATABASE_URL ? null : lockDataDir(env.DATA_DIR);
  try {
    const database = await openDatabase(env, options);
    try {
      return await work(database.db);
    } finally {
      await database.close();
    }
  } finally {
    lock?.release();
  }
}

/** Does work that needs rows and emails, directly on the database. Throws DataDirInUse. */
export async function directly<T>(env: Env, work: (services: Basics) => Promise<T>): Promise<T> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = env;
  // Without a key, the database is the demo's. Only work on payments needs the mode.
  const stripeMode = secretKey ? stripeModeOf({ secretKey, apiUrl }) : 'demo';
  // Only queues email; the server sends it when it runs.
  const settings = { ...settingsOf(env), smtpUrl: null };
  return onDatabase(env, { stripeMode }, async (db) =>
    work(await composeBasics(settings, systemOf({ LOG_LEVEL: 'silent' }), db)),
  );
}
