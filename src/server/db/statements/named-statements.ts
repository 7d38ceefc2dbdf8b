// No such statement, a statement of that name already, or one whose table has changed since.
const REFUSED = /^(26000|42P05|0A000)$/;

type Arguments = unknown[];
type Named = { name?: string; text: string };

/**
 * Asks named statements of the driver. PgBouncer in transaction mode passes them on only with `max_prepared_statements`
 * (its default since version 1.24); otherwise it gives each transaction a connection that may not know the name. Such a
 * statement has done nothing yet: it is asked again without a name, and so are all others from then on.
 */
export function createNamedStatements() {
  let refused = false;
  return async (args: Arguments, ask: (args: Arguments) => unknown): Promise<unknown> => {
    const [query, ...rest] = args;
    if (!isNamed(query)) return ask(args);
    const { name, ...unnamed } = query;
    if (refused) return ask([unnamed, ...rest]);
    try {
      return await ask(args);
    } catch (error) {
      if (!REFUSED.test(String((error as { code?: unknown } | null)?.code))) throw error;
      refused = true;
      return ask([unnamed, ...rest]);
    }
  };
}

const isNamed = (query: unknown): query is Named =>
  typeof query === 'object' && query !== null && typeof (query as Named).name === 'string';
