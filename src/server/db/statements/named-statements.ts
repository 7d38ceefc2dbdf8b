// No such statement, a statement with that name exists, or its table has changed since.
const REFUSED = /^(26000|42P05|0A000)$/;

type Arguments = unknown[];
type Named = { name?: string; text: string };

/**
 * Runs named statements. PgBouncer in transaction mode supports them only with `max_prepared_statements` (its default since
 * version 1.24); otherwise a transaction's connection may not know the name. A refused statement has had no effect: it is
 * repeated without a name, and so are all others from then on.
 */
export function createNamedStatements() {
  let isRefused = false;
  return async (args: Arguments, ask: (args: Arguments) => unknown): Promise<unknown> => {
    const [query, ...rest] = args;
    if (!isNamed(query)) return ask(args);
    const { name, ...unnamed } = query;
    if (isRefused) return ask([unnamed, ...rest]);
    try {
      return await ask(args);
    } catch (error) {
      if (!REFUSED.test(String((error as { code?: unknown } | null)?.code))) throw error;
      isRefused = true;
      return ask([unnamed, ...rest]);
    }
  };
}

const isNamed = (query: unknown): query is Named =>
  typeof query === 'object' && query !== null && typeof (query as Named).name === 'string';
