import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { forgetSecret } from '../../../src/server/auth/forget-secret.ts';
import { assertSecretKept, recordSecret } from '../../../src/server/auth/secret-kept.ts';
import { generatedSecrets } from '../../../src/server/config/generated-secrets.ts';
import { keyFor } from '../../../src/server/config/purpose-key.ts';
import { stripe_setup, two_factors, webhook_endpoint } from '../../../src/server/db/schema.ts';
import { sealSecret } from '../../../src/server/platform/sealed-secret.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, TEST_SECRET, type TestApp } from '../../support/harness/app.ts';
import { dataFolder } from '../../support/harness/installation.ts';

const OTHER = 'another-secret-of-at-least-32-letters';
const ENDPOINT = '0b0e7d5c-6f0c-4b52-9d0a-2f9d1c8b7a65';

let app: TestApp;
const folder = dataFolder();
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(async () => {
  rmSync(join(folder.path, 'secrets.json'), { force: true });
  await app.services.db.execute(sql`comment on table drizzle.__drizzle_migrations is null`);
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const start = (env: { AUTH_SECRET?: string; AUTH_SECRET_PREVIOUS?: string } = {}) =>
  assertSecretKept(app.services.db, {
    AUTH_SECRET: undefined,
    AUTH_SECRET_PREVIOUS: undefined,
    ...env,
    DATA_DIR: folder.path,
  });

it('a database opens only with the secret it was last used with, or with that one as the previous', async () => {
  await recordSecret(app.services.db, TEST_SECRET);
  await expect(start({ AUTH_SECRET: TEST_SECRET })).resolves.toBeUndefined();
  await expect(start({ AUTH_SECRET: OTHER, AUTH_SECRET_PREVIOUS: TEST_SECRET })).resolves.toBeUndefined();
  await expect(start({ AUTH_SECRET: OTHER })).rejects.toThrow(
    /AUTH_SECRET is not the one .*Nothing was changed\.\n.*AUTH_SECRET_PREVIOUS.*\n.*cellar-door forget-secret/,
  );
  await expect(start()).rejects.toThrow('AUTH_SECRET is required');
  generatedSecrets(folder.path, () => OTHER);
  await expect(start()).rejects.toThrow('The secret in secrets.json of DATA_DIR is not the one');
});

it('a start with another AUTH_SECRET is told that the right one is in the data folder', async () => {
  await recordSecret(app.services.db, TEST_SECRET);
  generatedSecrets(folder.path, () => TEST_SECRET);
  await expect(start()).resolves.toBeUndefined();
  await expect(start({ AUTH_SECRET: OTHER })).rejects.toThrow('The right one is in secrets.json of DATA_DIR');
});

it('damaged secrets in the data folder stop a start only where they are needed', async () => {
  await recordSecret(app.services.db, TEST_SECRET);
  writeFileSync(join(folder.path, 'secrets.json'), '{');
  await expect(start({ AUTH_SECRET: TEST_SECRET })).resolves.toBeUndefined();
  await expect(start()).rejects.toThrow(
    /secrets\.json is damaged; nothing was changed.*cellar-door restore FILE/,
  );
});

it.each([
  [
    'a webhook’s secret',
    (sealed: string) => sql`insert into webhook_endpoint (id, url, description, events, secret, created_at)
      values (${ENDPOINT}, 'https://till.example', '', '{}', ${sealed}, now())`,
    'webhooks/v1',
  ],
  [
    'the signing secret from Stripe',
    (sealed: string) => sql`insert into stripe_setup (kind, request_id, sealed_secret, created_at)
      values ('webhook_endpoint', ${ENDPOINT}, ${JSON.stringify([ENDPOINT, sealed])}, now())`,
    'stripe-webhook/v1',
  ],
] as const)('%s alone decides for a database of an earlier version', async (_, store, purpose) => {
  const { db, newSecret } = app.services;
  const how = { of: ENDPOINT, random: newSecret() };
  await db.execute(store(sealSecret(keyFor(TEST_SECRET, purpose), 'signs', how)));
  await expect(start({ AUTH_SECRET: TEST_SECRET })).resolves.toBeUndefined();
  await expect(start({ AUTH_SECRET: OTHER })).rejects.toThrow('AUTH_SECRET is not the one');
  await db.delete(webhook_endpoint);
  await db.delete(stripe_setup);
});

it('a webhook whose secret was lost earlier does not refuse the secret of another', async () => {
  const { db, newId, newSecret } = app.services;
  const seal = (of: string, secret: string) =>
    sealSecret(keyFor(secret, 'webhooks/v1'), 'signs', { of, random: newSecret() });
  for (const secret of ['lost', TEST_SECRET, 'lost']) {
    const id = newId();
    await db.insert(webhook_endpoint).values({
      ...{ id, url: 'https://till.example', description: '', events: [] },
      ...{ secret: seal(id, secret), created_at: app.clock.now() },
    });
  }
  await expect(start({ AUTH_SECRET: TEST_SECRET })).resolves.toBeUndefined();
  await expect(start({ AUTH_SECRET: OTHER })).rejects.toThrow('AUTH_SECRET is not the one');
  await db.delete(webhook_endpoint);
});

it('what a database of an earlier version holds encrypted decides in place of a fingerprint', async () => {
  await expect(start()).resolves.toBeUndefined();
  const member = await app.customer({ email: 'kept@example.test' });
  await expect(start()).rejects.toThrow('AUTH_SECRET is required: the database has accounts');
  await expect(start({ AUTH_SECRET: OTHER })).resolves.toBeUndefined();
  await enrollFactor(member, PASSWORD, -1);
  await expect(start({ AUTH_SECRET: TEST_SECRET })).resolves.toBeUndefined();
  await expect(start({ AUTH_SECRET: OTHER })).rejects.toThrow('AUTH_SECRET is not the one');
  // A factor that was lost earlier refuses nothing, wherever it stands.
  await enrollFactor(await app.customer({ email: 'lost@example.test' }), PASSWORD, -1);
  const { db } = app.services;
  const factors = await db.select().from(two_factors);
  for (const lost of factors) {
    const stored = factors.map((it) => (it === lost ? { ...it, secret: 'lost' } : it));
    await db.delete(two_factors);
    for (const factor of stored) await db.insert(two_factors).values(factor);
    await expect(start({ AUTH_SECRET: TEST_SECRET })).resolves.toBeUndefined();
  }
});

it('a club whose secret is lost goes on with another, and sets up its second steps again', async () => {
  await recordSecret(app.services.db, TEST_SECRET);
  await forgetSecret(app.services, OTHER);
  await expect(start({ AUTH_SECRET: OTHER })).resolves.toBeUndefined();
  await expect(start({ AUTH_SECRET: TEST_SECRET })).rejects.toThrow('AUTH_SECRET is not the one');
  expect(await app.services.db.select().from(two_factors)).toEqual([]);
  await app.visitor().must('POST', '/api/auth/sign-in', { email: 'kept@example.test', password: PASSWORD });
});

it('a secret that is forgotten takes the PINs with it, so that staff choose new ones', async () => {
  await recordSecret(app.services.db, TEST_SECRET);
  const bartender = await app.staff();
  await bartender.must('PUT', '/api/staff-pin', { pin: '8042', password: PASSWORD });
  await forgetSecret(app.services, OTHER);
  expect(await bartender.must('GET', '/api/staff-pin')).toEqual({ set: false, locked: false });
});
