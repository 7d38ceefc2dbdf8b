/** What is done about every statement; nothing without it. */
export interface StatementWatch {
  /**
   * Names the request that the statement runs for, so that the database's own log says so too; null outside of
   * requests. Only letters, digits and dashes: it becomes a comment in the statement.
   */
  reference?(): string | null;
  /** Runs a statement. `text` has placeholders instead of its values. */
  run?<T>(text: string, work: () => Promise<T>): Promise<T>;
}

type Arguments = unknown[];

/**
 * The driver's arguments of a query with the comment at the end of its text: there it costs the server no more than its
 * bytes, and its log prints it. A named statement stays as it is, because its text must be the same every time.
 */
export function withReference(args: Arguments, reference: string | null): Arguments {
  const [query, ...rest] = args;
  if (!reference) return args;
  const comment = ` /*request='${reference}'*/`;
  if (typeof query === 'string') return [query + comment, ...rest];
  if (!isConfig(query) || query.name !== undefined) return args;
  return [{ ...query, text: query.text + comment }, ...rest];
}

/** The text of a query as the driver takes it; empty for one that was prepared elsewhere. */
export function textOf([query]: Arguments): string {
  if (typeof query === 'string') return query;
  return isConfig(query) ? query.text : '';
}

function isConfig(query: unknown): query is { text: string; name?: string } {
  return (
    typeof query === 'object' &&
    query !== null &&
    Object.getPrototypeOf(query) === Object.prototype &&
    typeof (query as { text?: unknown }).text === 'string'
  );
}
