import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertSecretKept, recordSecret } from '../../../src/server/auth/secret-kept.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { stripe_setup } from '../../../src/server/db/schema.ts';
import { makeDataFolder } from '../../support/harness/database.ts';
import { dataFolder } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const club = dataFolder();
beforeAll(async () => {
  await makeDataFolder(club.path);
  const { db, close } = await openEmbedded(club.path);
  await recordSecret(db, OLD);
  await db.insert(stripe_setup).values({
    kind: 'webhook_endpoint',
    request_id: '0b0e7d5c-6f0c-4b52-9d0a-2f9d1c8b7a65',
    sealed_secret: '["id","sealed with the old secret"]',
    created_at: new Date('2026-11-22T05:00:00Z'),
  });
  await close();
});
afterAll(() => club.remove());

const LOSS = /two-step sign-in of 0 accounts.*0 PINs of staff; the signing secret from Stripe\n/;

it('cellar-door forget-secret says what it ends, and does it only once it is confirmed', async () => {
  const env = { DATA_DIR: club.path, AUTH_SECRET: NEW };
  const unconfirmed = await runHere('forget-secret', [], env);
  expect(unconfirmed.code).toBe(1);
  expect(unconfirmed.output).toMatch(LOSS);
  expect(unconfirmed.output).toMatch(/Nothing was changed\. .*cellar-door forget-secret --yes/);
  const confirmed = await runHere('forget-secret', ['--yes'], env);
  expect(confirmed.code).toBe(0);
  // There was still all of it to lose.
  expect(confirmed.output).toMatch(LOSS);
  expect(confirmed.output).toContain('Done. Next: start the server, then press Set Up at /staff/payments');

  const { db, close } = await openEmbedded(club.path);
  await assertSecretKept(db, { AUTH_SECRET_PREVIOUS: undefined, ...env });
  expect(await db.select({ secret: stripe_setup.sealed_secret }).from(stripe_setup)).toEqual([
    { secret: null },
  ]);
  await close();
});
