import { createHash } from 'node:crypto';
import { is, PgDialect, PgTransaction, type SQL, sql } from '../orm.ts';
import type { Db, Tx } from '../transaction.ts';

type Session = Db['_']['session'];
type Query = ReturnType<Session['prepareQuery']>;

const dialect = new PgDialect();

/** A text has the same name in every process, so that behind a pooler a name never stands for another text. */
const nameOf = (text: string) =>
  `cellar_door_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

/**
 * A frequent raw statement: its text is made once, and each connection parses and plans it once. Variable parts are
 * `sql.placeholder`s, whose values each call gives by name. In a transaction it is an ordinary statement, because a refusal
 * by a pooler would end the transaction. docs/decisions/sessions.md
 */
export function preparedStatement<Row, Values extends Record<string, string | number | null>>(
  statement: SQL,
): (db: Db | Tx, values: Values) => Promise<Row[]> {
  const query = dialect.sqlToQuery(statement);
  const name = nameOf(query.sql);
  const ofSessions = new WeakMap<Session, Query>();
  const queryOn = (db: Db | Tx): Query => {
    const { session } = db._;
    if (is(db, PgTransaction)) return session.prepareQuery(query, undefined, undefined, false);
    const statement = ofSessions.get(session) ?? session.prepareQuery(query, undefined, name, false);
    ofSessions.set(session, statement);
    return statement;
  };
  return async (db, values) => {
    const { rows } = (await queryOn(db).execute(values)) as { rows: Row[] };
    return rows;
  };
}

/** Calls a SQL function of db/functions with one jsonb argument and result. */
export function sqlFunction<Answer>(name: string): (db: Db | Tx, input: object) => Promise<Answer> {
  const call = preparedStatement<{ answer: Answer }, { input: string }>(
    sql`select ${sql.raw(name)}(${sql.placeholder('input')}::jsonb) as answer`,
  );
  return async (db, input) => {
    const [row] = await call(db, { input: JSON.stringify(input) });
    if (!row) throw new Error('A function call returned no row');
    return row.answer;
  };
}
