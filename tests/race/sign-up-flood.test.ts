import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { authTransaction } from '../../src/server/auth/auth-transaction.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { createDatabase } from '../support/harness/postgres.ts';

it('sign-ups that wait inside their transactions leave connections for everyone else', async () => {
  const server = await createDatabase();
  const limits = { connect: 500, query: 5_000, close: 500 };
  const database = await openPostgres(server.url, { limits });
  onTestFinished(async () => {
    await database.close();
    await server.drop();
  });
  const { promise: hashed, resolve: hash } = Promise.withResolvers<void>();
  const { promise: first, resolve: begun } = Promise.withResolvers<void>();
  const auth = authTransaction(database.db);
  const signUps = Array.from({ length: 60 }, () =>
    auth.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      begun();
      await hashed;
    }),
  );
  await first;
  const others = Array.from({ length: 20 }, () => rowsOf(database.db, sql`select 1 as one`));
  expect(await Promise.all(others)).toHaveLength(20);
  hash();
  await Promise.all(signUps);
});
