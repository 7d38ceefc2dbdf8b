import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { readEnv } from '../../../src/server/config/env.ts';
import { dataFolder } from '../../support/harness/installation.ts';

let folder: ReturnType<typeof dataFolder>;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(() => folder.remove());

function fileWith(text: string): string {
  const file = join(folder.path, 'secret');
  writeFileSync(file, text);
  return file;
}

test.each([
  ['AUTH_SECRET', 'x'.repeat(32)],
  ['STRIPE_SECRET_KEY', 'sk_live_x'],
  ['DATABASE_URL', 'postgres://user:password@host/club'],
] as const)('%s can be a file, as a vault mounts it', (name, value) => {
  expect(readEnv({ [`${name}_FILE`]: fileWith(`${value}\n`) })[name]).toBe(value);
});

it('the secret of a sign-in provider can be in a file too', () => {
  const { providers } = readEnv({
    OIDC_PROVIDERS: 'google',
    OIDC_GOOGLE_CLIENT_ID: 'id',
    OIDC_GOOGLE_CLIENT_SECRET_FILE: fileWith('hidden'),
  });
  expect(providers).toMatchObject([{ clientSecret: 'hidden' }]);
});

it('an unreadable file, and one set together with its variable, are named without a value', () => {
  expect(() => readEnv({ AUTH_SECRET_FILE: join(folder.path, 'nowhere') })).toThrow(
    /AUTH_SECRET_FILE names a file that cannot be read/,
  );
  const both = { AUTH_SECRET: 'a'.repeat(40), AUTH_SECRET_FILE: fileWith('b'.repeat(40)) };
  expect(() => readEnv(both)).toThrow(
    /AUTH_SECRET and AUTH_SECRET_FILE are the same setting: set one of them$/,
  );
});

it('no other variable is read from a file', () => {
  expect(readEnv({ CLUB_NAME_FILE: fileWith('Another Club'), SSL_CERT_FILE: '/nowhere' }).CLUB_NAME).toBe(
    'Cellar Door',
  );
});
