import { type PGlite, type QueryOptions, types } from '@electric-sql/pglite';

const asText = (value: string) => value;

/** The types that drizzle reads itself, and the arrays of numeric, timestamp, timestamptz, interval and date. */
const READ_BY_DRIZZLE = [
  types.TIMESTAMP,
  types.TIMESTAMPTZ,
  types.INTERVAL,
  types.DATE,
  1231,
  1115,
  1185,
  1187,
  1182,
];

/**
 * The embedded engine for drizzle. Drizzle gives its parsers with every query, and the engine then copies all of its own
 * (several hundred, one for each array type) to add them: an eighth of the time of a short query. Here they are set once.
 */
export function forDrizzle(client: PGlite): PGlite {
  for (const type of READ_BY_DRIZZLE) client.parsers[type] = asText;
  return withoutParsers(client);
}

type Queries = Pick<PGlite, 'query'>;

function withoutParsers<T extends Queries>(client: T): T {
  return new Proxy(client, {
    get(target, key) {
      if (key === 'query') {
        return (text: string, parameters?: unknown[], { parsers: _, ...options }: QueryOptions = {}) =>
          target.query(text, parameters, options);
      }
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key !== 'transaction') return value.bind(target);
      return (work: (tx: Queries) => Promise<unknown>) =>
        value.call(target, (tx: Queries) => work(withoutParsers(tx)));
    },
  });
}
