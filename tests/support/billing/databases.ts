import { sql } from 'drizzle-orm';
import type { StripeMode } from '../../../src/server/config/stripe-mode.ts';
import type { Db, OpenDatabase } from '../../../src/server/db/client.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let shared: Promise<TestDatabase> | undefined;

/** Opens the database of this test file (in `beforeAll`). Its tests share it, emptied each time by emptyDatabase. */
export async function openSharedDatabase(): Promise<void> {
  await emptyDatabase();
}

export async function emptyDatabase(): Promise<OpenDatabase> {
  shared ??= createTestDatabase();
  const database = await shared;
  await database.empty();
  await writeAsMode(database.db, null);
  return database;
}

/** Makes this connection write Stripe ids in that mode, like a server's. Null for none. */
export async function writeAsMode(db: Db, mode: StripeMode | null): Promise<void> {
  await db.execute(sql`select set_config('cellar_door.stripe_mode', ${mode ?? ''}, false)`);
}

/**
 * A database whose transactions can be made to fail, as if the connection were lost; the first `spared` of them still
 * succeed.
 */
export function breakable(db: Db): { db: Db; failTransactions(fail: boolean, spared?: number): void } {
  let failing = false;
  let left = 0;
  const proxy = new Proxy(db, {
    get(target, key) {
      if (key === 'transaction' && failing && --left < 0) {
        return () => Promise.reject(new Error('connection lost'));
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    db: proxy,
    failTransactions: (fail, spared = 0) => {
      failing = fail;
      left = spared;
    },
  };
}
