import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

// docs/rules/pages.md, "Routes".

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ web: (c) => c.html('<p>The app</p>') });
});
afterAll(() => app.close());

const locationOf = async (path: string) => {
  const response = await app.visitor().raw('GET', path);
  return { status: response.status, location: response.headers.get('location') };
};

it.each([
  ['/reset-password%23token', '/reset-password#token'],
  ['/invitation%23a-b_c?utm_source=gateway', '/invitation?utm_source=gateway#a-b_c'],
  ['/share%23a%23b', '/share#a%23b'],
  ['//evil.example%23token', '/evil.example#token'],
])('%s leads to %s', async (path, location) => {
  expect(await locationOf(path)).toEqual({ status: 302, location });
});

it('a path without a rewritten # is left alone', async () => {
  expect(await locationOf('/reset-password')).toEqual({ status: 200, location: null });
});
