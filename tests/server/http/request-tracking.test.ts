import { afterAll, beforeAll, expect, it } from 'vitest';
import { isReference } from '../../../src/domain/monitoring/reference.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let member: Caller;
beforeAll(async () => {
  app = await createTestApp();
  member = await app.customer();
});
afterAll(() => app.close());

const GIVEN = '7K3M-9QX2-D4FT';
const ask = async (path: string, reference?: string) => {
  const headers = new Headers(reference === undefined ? [] : [['x-request-id', reference]]);
  const response = await member.raw('GET', path, { headers });
  return response.headers.get('x-request-id') ?? '';
};

it('a valid reference is kept, and every response has one', async () => {
  for (const path of ['/api/tiers', '/api/session', '/api/nothing', '/nothing']) {
    expect(await ask(path, GIVEN), path).toBe(GIVEN);
    expect(isReference(await ask(path)), path).toBe(true);
  }
  expect(await ask('/api/tiers')).not.toBe(await ask('/api/tiers'));
});

it.each(['7k3m-9qx2-d4ft', 'x', "7K3M-9QX2-D4FT'*/", `${GIVEN}-${GIVEN}`, 'A'.repeat(4000)])(
  'the reference %s is replaced',
  async (given) => {
    const answered = await ask('/api/tiers', given);
    expect(isReference(answered)).toBe(true);
    expect(answered).not.toBe(given);
  },
);

it('log lines of a request have its reference, and no others do', async () => {
  app.logged.length = 0;
  await Promise.all([ask('/api/customers', GIVEN), ask('/api/staff-notices', 'AAAA-BBBB-CCCC')]);
  app.services.log.info('beside requests');
  const lines = app.logged.map((line) => JSON.parse(line) as { path?: string; request?: string });
  const references = Object.fromEntries(lines.map(({ path = 'none', request }) => [path, request]));
  expect(references).toEqual({
    '/api/customers': GIVEN,
    '/api/staff-notices': 'AAAA-BBBB-CCCC',
    none: undefined,
  });
});
