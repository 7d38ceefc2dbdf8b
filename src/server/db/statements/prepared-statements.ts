import { createHash } from 'node:crypto';
import { is, type SQL } from 'drizzle-orm';
import { PgDialect, PgTransaction } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../transaction.ts';

const dialect = new PgDialect();
const names = new Map<string, string>();

/** The same text has the same name in every process, so that behind a pooler a name never stands for another text. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `cellar_door_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/**
 * Rows of a raw statement that a connection parses and plans once, for the few that are asked all the time. Its text must
 * be constant: what varies is a parameter. In a transaction it is an ordinary statement, because one that a pooler
 * refuses would end the transaction.
 */
export async function preparedRowsOf<Row>(db: Db | Tx, statement: SQL): Promise<Row[]> {
  const query = dialect.sqlToQuery(statement);
  const name = is(db, PgTransaction) ? undefined : nameOf(query.sql);
  const prepared = db._.session.prepareQuery(query, undefined, name, false);
  const result = (await prepared.execute()) as { rows: Row[] };
  return result.rows;
}
