export interface StatementWatch {
  /**
   * Names the request that the statement runs for, so that the database's own log names it too; null outside of requests.
   * Only letters, digits and dashes: it becomes a comment in the statement.
   */
  reference?(): string | null;
  /** Runs a statement. `text` has placeholders instead of its values. */
  run?<T>(text: string, work: () => Promise<T>): Promise<T>;
}

type Arguments = unknown[];

/**
 * A query's arguments with the comment appended to its text, where it only costs its bytes and appears in the server's log.
 * A named statement stays unchanged, because its text must be the same every time.
 */
export function withReference(args: Arguments, reference: string | null): Arguments {
  const [query, ...rest] = args;
  if (!reference) return args;
  const comment = ` /*request='${reference}'*/`;
  if (typeof query === 'string') return [query + comment, ...rest];
  if (!isConfig(query) || query.name !== undefined) return args;
  return [{ ...query, text: query.text + comment }, ...rest];
}

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
