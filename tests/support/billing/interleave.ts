import type Stripe from 'stripe';
import type { Db } from '../../../src/server/db/client.ts';

/** The client, whose first such request goes through `handle`, so that something else happens before or after it. */
export function interleaved<R extends 'subscriptions' | 'refunds' | 'invoices' | 'charges'>(
  stripe: Stripe,
  resource: R,
  method: keyof Stripe[R] & string,
  handle: (request: () => unknown) => Promise<unknown>,
): Stripe {
  const requests = stripe[resource] as unknown as Record<string, (...args: unknown[]) => unknown>;
  let isFirst = true;
  const own = Object.assign(Object.create(requests), {
    [method](...args: unknown[]) {
      const request = () => requests[method]?.(...args);
      if (!isFirst) return request();
      isFirst = false;
      return handle(request);
    },
  });
  return Object.assign(Object.create(stripe), { [resource]: own });
}

/** The database, where something else happens just before a transaction. `began`: how many there were. */
export function beforeTransaction(db: Db): {
  db: Db;
  began(): number;
  happen(nth: number, meanwhile: () => Promise<unknown>): void;
} {
  let began = 0;
  let next: { nth: number; meanwhile: () => Promise<unknown> } | undefined;
  const proxy = new Proxy(db, {
    get(target, key) {
      if (key === 'transaction') {
        return async (...args: Parameters<Db['transaction']>) => {
          began += 1;
          if (began === next?.nth) await next.meanwhile();
          return target.transaction(...args);
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    db: proxy,
    began: () => began,
    happen: (nth, meanwhile) => {
      next = { nth, meanwhile };
    },
  };
}
