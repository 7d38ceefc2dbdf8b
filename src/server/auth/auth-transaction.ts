import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Tx } from '../db/client.ts';

/**
 * The auth library's database, and the transaction in which one of its calls runs: the library does not hand it to its
 * hooks. `current` throws outside of one.
 */
export function authTransaction(db: Db): { db: Db; current(): Tx } {
  const running = new AsyncLocalStorage<Tx>();
  const transaction: Db['transaction'] = (work, config) =>
    db.transaction((tx) => running.run(tx, () => work(tx)), config);
  return {
    db: new Proxy(db, {
      get(target, name) {
        if (name === 'transaction') return transaction;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    current() {
      const tx = running.getStore();
      if (!tx) throw new Error('The auth library runs this hook outside of its transaction');
      return tx;
    },
  };
}
