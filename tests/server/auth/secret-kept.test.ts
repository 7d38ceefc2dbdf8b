import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertSecretKept } from '../../../src/server/auth/secret-kept.ts';
import { readEnv } from '../../../src/server/config/env.ts';
import { generatedSecrets } from '../../../src/server/config/generated-secrets.ts';
import { profiles } from '../../../src/server/db/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../support/harness/database.ts';
import { dataFolder } from '../../support/harness/installation.ts';

let database: TestDatabase;
const folder = dataFolder();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
  folder.remove();
});

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://wine.example',
  STRIPE_SECRET_KEY: 'sk_live_x',
  DATABASE_URL: 'postgres://club@localhost/club',
  DATA_DIR: folder.path,
};
const start = (more: Record<string, string> = {}) =>
  assertSecretKept(database.db, readEnv({ ...PRODUCTION, ...more }));

it('a database with accounts opens only with the data folder that holds their secret, or with AUTH_SECRET', async () => {
  await expect(start()).resolves.toBeUndefined();
  await database.db.insert(profiles).values({
    id: '0199a000-0000-7000-8000-000000000001',
    email: 'ada@example.test',
    name: 'Ada Moss',
    first_name: 'Ada',
    last_name: 'Moss',
  });
  await expect(start()).rejects.toThrow('AUTH_SECRET is required: the database has accounts');
  await expect(start({ AUTH_SECRET: 'x'.repeat(32) })).resolves.toBeUndefined();
  await expect(start({ DATABASE_URL: '' })).resolves.toBeUndefined();
  generatedSecrets(folder.path, () => 'x'.repeat(43));
  await expect(start()).resolves.toBeUndefined();
});
