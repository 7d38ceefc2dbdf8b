import { PGlite } from '@electric-sql/pglite';
import { dataDir } from '@electric-sql/pglite-prepopulatedfs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EmbeddedClient } from '../../../../src/server/db/embedded/embedded-client.ts';

let engine: PGlite;
let client: EmbeddedClient;

beforeAll(async () => {
  engine = await PGlite.create({ loadDataDir: await dataDir() });
});

beforeEach(async () => {
  await engine.exec(
    'deallocate all; drop table if exists glass; create table glass (id int primary key, poured date)',
  );
  client = new EmbeddedClient(engine);
});

afterAll(() => engine.close());

const count = async () => (await client.query('select count(*)::int as n from glass')).rows;
const insert = 'insert into glass (id) values ($1)';

test('a row comes as an object or as an array, nulls included', async () => {
  const text = `select $1::int as n, $2::text as t, null as nothing, '{1,2}'::int[] as list`;
  expect((await client.query(text, [1, 'red'])).rows).toEqual([
    { n: 1, t: 'red', nothing: null, list: [1, 2] },
  ]);
  expect((await client.query(text, [2, null], { rowMode: 'array' })).rows).toEqual([[2, null, null, [1, 2]]]);
});

test('a statement is prepared once, and those unused for longest are dropped', async () => {
  for (let round = 0; round < 2; round++) await client.query(insert, [round]);
  const prepared = 'select count(*)::int as n from pg_prepared_statements where statement like $1';
  expect((await client.query(prepared, ['insert%'])).rows).toEqual([{ n: 1 }]);
  for (let index = 0; index < 420; index++) await client.query(`select ${index}`);
  expect((await client.query(prepared, ['%'])).rows).toEqual([{ n: 400 }]);
  await client.query(insert, [2]);
  expect(await count()).toEqual([{ n: 3 }]);
});

test('a statement that fails says why, and the next one runs', async () => {
  await client.query(insert, [1]);
  await expect(client.query(insert, [1])).rejects.toMatchObject({ code: '23505', constraint: 'glass_pkey' });
  await expect(client.query('select no_such_column from glass')).rejects.toMatchObject({ code: '42703' });
  await client.query(insert, [2]);
  expect(await count()).toEqual([{ n: 2 }]);
});

test('a statement still works after its table has changed', async () => {
  const all = 'select * from glass';
  await client.query(insert, [1]);
  await client.query(all);
  await engine.exec('alter table glass add column wine text');
  await expect(client.query(all)).rejects.toMatchObject({ code: '0A000' });
  expect((await client.query(all)).rows).toEqual([{ id: 1, poured: null, wine: null }]);
});

test('a transaction is complete or absent, and nobody sees part of it', async () => {
  const failing = client.transaction(async (tx) => {
    await tx.query(insert, [1]);
    throw new Error('the glass broke');
  });
  const reading = count();
  await expect(failing).rejects.toThrow('the glass broke');
  expect(await reading).toEqual([{ n: 0 }]);
  const both = client.transaction((tx) => Promise.all([tx.query(insert, [1]), tx.query(insert, [2])]));
  expect(await count()).toEqual([{ n: 2 }]);
  await both;
});

test('a transaction that failed inside is rolled back, and its client ends with it', async () => {
  let kept: Parameters<Parameters<typeof client.transaction>[0]>[0] | undefined;
  await expect(
    client.transaction(async (tx) => {
      kept = tx;
      await tx.query(insert, [1]);
      await tx.query(insert, [1]);
    }),
  ).rejects.toMatchObject({ code: '23505' });
  expect(await count()).toEqual([{ n: 0 }]);
  await expect(kept?.query(insert, [3])).rejects.toThrow('Transaction is closed');
});
