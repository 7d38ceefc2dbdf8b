import { expect, it, test } from 'vitest';
import { assertKnownNames } from '../../../src/server/config/variable-names.ts';

const problem = (names: string[], providers = ''): string => {
  try {
    assertKnownNames(names, providers);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

it.each([
  [['PUBLIC_URL', 'SMTP_URL', 'SMTP_URL_FILE', 'AUTH_SECRET_FILE', 'OIDC_PROVIDERS'], ''],
  [['OIDC_GOOGLE_CLIENT_ID', 'OIDC_GOOGLE_CLIENT_SECRET_FILE', 'OIDC_MY_CLUB_ISSUER'], 'google, my-club'],
  // Turned off for a while.
  [['OIDC_APPLE_CLIENT_ID', 'OIDC_APPLE_LABEL'], 'google'],
])('accepts the names that the server reads: %j', (names, providers) => {
  expect(problem(names, providers)).toBe('accepted');
});

test.each([
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['public_url', 'PUBLIC_URL'],
  ['AUTH_SECRET_FLIE', 'AUTH_SECRET_FILE'],
  ['DATABASE_URI_FILE', 'DATABASE_URL_FILE'],
  // No secret, so it has no such form.
  ['PORT_FILE', null],
  ['OIDC_GOGLE_LABEL', 'OIDC_GOOGLE_LABEL'],
  ['OIDC_GOOGLE_CLIENTID', 'OIDC_GOOGLE_CLIENT_ID'],
  ['POSTGRES_PASSWORD', null],
  ['FOO', null],
])('refuses %s', (name, nearest) => {
  const message = problem(['PORT', name], 'google');
  expect(message).toContain(`.env sets ${name}, which nothing reads`);
  if (nearest) expect(message).toContain(`is it ${nearest}?`);
  else expect(message).not.toContain('is it');
});
