import { isDeepStrictEqual } from 'node:util';
import type { SQL } from 'drizzle-orm';
import type { Db, Tx } from './transaction.ts';

/** Rows of a raw statement; both drivers answer with { rows }. */
export async function rowsOf<Row>(db: Db | Tx, statement: SQL): Promise<Row[]> {
  const result = (await db.execute(statement)) as { rows: Row[] };
  return result.rows;
}

/** Whether a stored row has these values already, so that writing them would change nothing. */
export function hasValues<Row extends object>(stored: Row, values: Partial<Row>): boolean {
  const columns = Object.keys(values) as (keyof Row)[];
  // Two dates of the same instant are different objects, and so are two readings of a jsonb.
  return columns.every((column) => isDeepStrictEqual(values[column], stored[column]));
}

interface DatabaseError {
  code?: string;
  constraint?: string;
}

/** What Postgres said of a failed statement. Both drivers put it on cause. */
const databaseError = (error: unknown): DatabaseError | null =>
  (error as { cause?: DatabaseError } | null)?.cause ?? (error as DatabaseError | null);

/** The constraint that a failed statement broke, null for any other failure. */
export function violatedConstraint(error: unknown): string | null {
  const cause = databaseError(error);
  return cause?.code?.startsWith('23') ? (cause.constraint ?? null) : null;
}

/** Whether Postgres ended the transaction because it and another waited for each other. */
export const isDeadlock = (error: unknown): boolean => databaseError(error)?.code === '40P01';
