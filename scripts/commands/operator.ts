import { existsSync } from 'node:fs';
import { request } from 'node:http';
import type { RefusalCode } from '../../src/contract/refusals.ts';
import { type Basics, composeBasics } from '../../src/server/compose.ts';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import type { Env } from '../../src/server/config/env.ts';
import { settingsOf, stripeSettings } from '../../src/server/config/settings.ts';
import { stripeModeOf } from '../../src/server/config/stripe-mode.ts';
import type { Db, OpenOptions } from '../../src/server/db/client.ts';
import { adminSocketPath, refusalCode } from '../../src/server/http/admin-socket.ts';
import { openDatabase, systemOf } from '../../src/server/main.ts';

/** A refusal by the running server; the message says why. */
class ServerRefused extends Error {
  override name = 'ServerRefused';
}

export class Refused extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode) {
    super(`Refused: ${code}`);
    this.code = code;
  }
}

export interface AdminCall {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
}

/** The JSON of the running server's response; null if none listens on the data folder. Throws ServerRefused. */
export function askServer(dataDir: string, { method, path, body }: AdminCall): Promise<unknown> {
  const socketPath = adminSocketPath(dataDir);
  if (!existsSync(socketPath)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath, method, path, headers: { 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(JSON.parse(text))
            : reject(new ServerRefused(text || 'The server refused.')),
        );
      },
    );
    // A killed server leaves its socket behind.
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? resolve(null) : reject(error),
    );
    call.end(body ? JSON.stringify(body) : undefined);
  });
}

/** Works on the database while no server runs; only a Postgres server allows several processes. Throws DataDirInUse. */
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

/**
 * Makes the call to the running server; without one, does the work here, and its emails leave at the next start. Throws
 * ServerRefused, Refused and DataDirInUse.
 */
export async function askOrDo<T extends object>(
  env: Env,
  call: AdminCall,
  work: (services: Basics) => Promise<T>,
): Promise<T> {
  const answer = await askServer(env.DATA_DIR, call);
  const outcome = (answer ?? (await workDirectly(env, work))) as T | ReturnType<typeof refusalCode>;
  if ('refused' in outcome) throw new Refused(outcome.refused);
  return outcome;
}

function workDirectly<T>(env: Env, work: (services: Basics) => Promise<T>) {
  const stripe = stripeSettings(env);
  // Without a key, outside of production, the database belongs to the demo. Only work on payments needs the mode.
  const defaultMode = env.NODE_ENV === 'production' ? null : 'demo';
  const stripeMode = stripe ? stripeModeOf(stripe) : defaultMode;
  const settings = { ...settingsOf(env), smtpUrl: null };
  return onDatabase(env, { stripeMode }, async (db) =>
    work(await composeBasics(settings, systemOf({ LOG_LEVEL: 'silent' }), db)).catch(refusalCode),
  );
}
