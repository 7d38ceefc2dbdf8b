import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenDatabase, openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { createInstruments } from '../../src/server/monitoring/instruments.ts';
import { inRequest } from '../../src/server/platform/request-scope.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let created: Awaited<ReturnType<typeof createDatabase>>;
let database: OpenDatabase;
beforeAll(async () => {
  created = await createDatabase();
  const { statements } = await createInstruments({ metrics: false, tracing: null });
  database = await openPostgres(created.url, { watch: statements });
});
afterAll(async () => {
  await database.close();
  await created.drop();
});

/** The statement in the server's view, and so in its log. */
async function seen(db: Pick<OpenDatabase['db'], 'execute'> = database.db): Promise<string> {
  const [row] = await rowsOf<{ query: string }>(
    db as OpenDatabase['db'],
    sql`select query from pg_stat_activity where pid = pg_backend_pid() and ${1} = 1`,
  );
  return row?.query ?? '';
}

const commentOf = (query: string) => /\/\*.*\*\/$/.exec(query)?.[0] ?? null;
const request = (reference: string) => ({ reference, call: null });

it('the database sees which request a statement runs for, also in a transaction', async () => {
  expect(commentOf(await inRequest(request('AAAA-AAAA-AAAA'), () => seen()))).toBe(
    "/*request='AAAA-AAAA-AAAA'*/",
  );
  const inTransaction = () => database.db.transaction((tx) => seen(tx));
  expect(commentOf(await inRequest(request('BBBB-BBBB-BBBB'), inTransaction))).toBe(
    "/*request='BBBB-BBBB-BBBB'*/",
  );
  expect(commentOf(await seen())).toBeNull();
});

it('a statement that waited for a connection keeps its own request', async () => {
  const references = Array.from({ length: 60 }, (_, i) => `AAAA-AAAA-AA${String(i).padStart(2, '0')}`);
  const queries = await Promise.all(references.map((it) => inRequest(request(it), () => seen())));
  expect(queries.map(commentOf)).toEqual(references.map((it) => `/*request='${it}'*/`));
});
