import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from '../../contract/refusals.ts';
import type { SQL } from './orm.ts';
import type { Db, Tx } from './transaction.ts';

/** Rows of a raw statement; both drivers return { rows }. */
export async function rowsOf<Row>(db: Db | Tx, statement: SQL): Promise<Row[]> {
  const result = (await db.execute(statement)) as { rows: Row[] };
  return result.rows;
}

export function hasValues<Row extends object>(row: Row, values: Partial<Row>): boolean {
  const columns = Object.keys(values) as (keyof Row)[];
  // Equal dates are different objects, and so are two reads of a jsonb.
  return columns.every((column) => isDeepStrictEqual(values[column], row[column]));
}

interface DatabaseError {
  code?: string;
  constraint?: string;
}

/** The Postgres error of a failed statement, in `cause` for both drivers. */
const databaseError = (error: unknown): DatabaseError | null =>
  (error as { cause?: DatabaseError } | null)?.cause ?? (error as DatabaseError | null);

/** The constraint that a failed statement violated; null for any other failure. */
export function violatedConstraint(error: unknown): string | null {
  const cause = databaseError(error);
  return cause?.code?.startsWith('23') ? (cause.constraint ?? null) : null;
}

/** Runs work, and throws the refusal that belongs to the constraint it violates, such as a unique index of a race. */
export async function refusing<T>(refusals: Record<string, Refusal>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusals[violatedConstraint(error) ?? ''] ?? error;
  }
}

export const isDeadlock = (error: unknown): boolean => databaseError(error)?.code === '40P01';
