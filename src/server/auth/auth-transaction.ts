import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Tx } from '../db/client.ts';
import { createWorkQueue } from '../platform/work-queue.ts';
import { toAuthError } from './auth-error.ts';

/**
 * The library hashes a sign-up's password inside its transaction, holding a connection while it waits. Without a limit,
 * sixty sign-ups at once would take every connection from the bar.
 */
const AT_ONCE = 3;
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

/**
 * The auth library's database, and the transaction of the current call, which the library does not pass to its hooks.
 * `current` throws outside of a call.
 */
export function authTransaction(db: Db): { db: Db; current(): Tx } {
  const storage = new AsyncLocalStorage<Tx>();
  const inTurn = createWorkQueue(AT_ONCE, MAX_WAITING, RETRY_AFTER_SECONDS);
  const transaction: Db['transaction'] = (work, config) =>
    inTurn(() => db.transaction((tx) => storage.run(tx, () => work(tx)), config)).catch((error: unknown) => {
      throw toAuthError(error);
    });
  return {
    db: new Proxy(db, {
      get(target, name) {
        if (name === 'transaction') return transaction;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    current() {
      const tx = storage.getStore();
      if (!tx) throw new Error('The auth library runs this hook outside of its transaction');
      return tx;
    },
  };
}
