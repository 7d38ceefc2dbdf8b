import { symmetricDecrypt } from 'better-auth/crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reencryptSecondFactors } from '../../../src/server/auth/two-factor/move-secrets.ts';
import { two_factors } from '../../../src/server/db/schema.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { enrollFactor, passCode } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, TEST_SECRET, type TestApp } from '../../support/harness/app.ts';

const OTHER_SECRET = 'another-secret-of-at-least-32-letters';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('a second factor and its backup codes outlive a change of AUTH_SECRET', async () => {
  const email = 'rotated@example.test';
  const member = await app.customer({ email });
  const { totp_uri, backup_codes } = await enrollFactor(member, PASSWORD, -1);
  const own = eq(two_factors.userId, member.id);
  const stored = async () => (await app.services.db.select().from(two_factors).where(own))[0]!;

  // The state after a start with the other secret, and then with this one again.
  const away = { current: OTHER_SECRET, previous: TEST_SECRET };
  expect(await reencryptSecondFactors(app.services, away)).toEqual({ kept: 1, lost: 0 });
  const between = await stored();
  for (const data of [between.secret, between.backupCodes]) {
    await expect(symmetricDecrypt({ key: OTHER_SECRET, data })).resolves.toEqual(expect.any(String));
    await expect(symmetricDecrypt({ key: TEST_SECRET, data })).rejects.toThrow();
  }
  expect(await reencryptSecondFactors(app.services, away)).toEqual({ kept: 1, lost: 0 });
  expect(await stored()).toEqual(between);
  const back = { current: TEST_SECRET, previous: OTHER_SECRET };
  expect(await reencryptSecondFactors(app.services, back)).toEqual({ kept: 1, lost: 0 });

  const visitor = app.visitor();
  await visitor.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await passCode(visitor, totpCode(totp_uri));
  expect((await visitor.call('GET', '/api/customers/own')).status).toBe(200);
  const second = app.visitor();
  await second.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await second.must('POST', '/api/auth/backup-codes/verify', { code: backup_codes[0] });

  // With all secrets lost, the row stays unchanged.
  const lost = { current: 'x'.repeat(32), previous: 'y'.repeat(32) };
  const kept = await stored();
  expect(await reencryptSecondFactors(app.services, lost)).toEqual({ kept: 0, lost: 1 });
  expect(await stored()).toEqual(kept);
});
