import { isContractProcedure } from '@orpc/contract';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { Refusal } from '../../../src/contract/refusals.ts';
import { countCall } from '../../../src/server/api/authorize.ts';
import type { CallName } from '../../../src/server/api/call.ts';
import { CALLS } from '../../../src/server/api/calls/index.ts';
import { CALL_LIMIT_KINDS, CLIENT_IP_LIMIT } from '../../../src/server/platform/call-limit-kinds.ts';
import { createFloodLimit } from '../../../src/server/platform/flood-limit.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import { testClock } from '../../support/harness/clock.ts';

// docs/rules/api.md, "Rate limits".

const calls = Object.entries(contract).flatMap(([noun, verbs]) =>
  Object.entries(verbs).map(([verb, procedure]) => {
    if (!isContractProcedure(procedure)) throw new Error(`${noun}.${verb} is not a procedure`);
    return { name: `${noun}.${verb}`, writes: procedure['~orpc'].route.method !== 'GET' };
  }),
);

describe('the table', () => {
  it('has a row for every call of the contract, and no others', () => {
    expect(Object.keys(CALLS).sort()).toEqual(calls.map(({ name }) => name).sort());
  });

  it('counts no writing call as one that only reads', () => {
    const writing = calls.filter(({ writes }) => writes).map(({ name }) => name as CallName);
    expect(writing.length).toBeGreaterThan(30);
    expect(writing.filter((name) => CALLS[name].limit === 'read')).toEqual([]);
  });

  it('lets one staff account of a busy bar record fifty glasses a second', () => {
    const { max, window } = CALL_LIMIT_KINDS[CALLS['pours.record'].limit];
    expect(max / window).toBeGreaterThanOrEqual(50);
  });
});

describe('a call beyond its limit', () => {
  const PATH = '/api/billing/tier/cancel-change';
  const { max, window } = CALL_LIMIT_KINDS[CALLS['billing.cancelTierChange'].limit];
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ limitAttempts: true });
  });
  afterAll(() => app.close());

  it('is refused with Retry-After until the window is over, for that account and that call alone', async () => {
    const [member, other] = [await app.customer(), await app.customer()];
    const call = () => member.call('POST', PATH, {});
    for (let times = 0; times < max; times += 1) expect((await call()).status).toBe(404);
    const { status, body, headers } = await call();
    expect({ status, body }).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(window);
    expect((await other.call('POST', PATH, {})).status).toBe(404);
    expect((await member.call('GET', '/api/customers/own')).status).toBe(200);
    app.clock.advance({ seconds: window });
    expect((await call()).status).toBe(404);
  });

  it('does not flood the log: repeated refusals are logged at most twenty times a minute', async () => {
    const member = await app.customer();
    const before = app.logged.length;
    for (let times = 0; times < 25; times += 1) {
      await member.call('GET', `/api/customers/${app.services.newId()}`);
      await member.raw('POST', `/api/${'x'.repeat(3000)}${times}`, {
        headers: { origin: 'https://evil.example' },
      });
      await app.visitor().raw('POST', '/api/stripe/webhook', { body: '{}' });
    }
    const lines = app.logged.slice(before);
    expect(lines.filter((line) => line.includes('NOT_ALLOWED'))).toHaveLength(20);
    const foreign = lines.filter((line) => line.includes('FOREIGN_ORIGIN'));
    expect(foreign).toHaveLength(20);
    expect(lines.filter((line) => line.includes('BAD_SIGNATURE'))).toHaveLength(20);
    expect(Math.max(...foreign.map((line) => line.length))).toBeLessThan(500);
  });
});

describe('one client IP', () => {
  const [bar, card] = [
    ['pours.record', 'bar'],
    ['functions.generateQrToken', 'write'],
  ] as const;
  const member = (n: number) => ({ user_id: `member-${n}`, role: 'customer' as const });

  it('is limited over all its members and visitors, and its staff still record pours', () => {
    const flood = createFloodLimit(testClock().now);
    const [venue, home] = ['198.51.100.1', '203.0.113.9'];
    for (let n = 0; n < CLIENT_IP_LIMIT.max; n += 1) countCall(flood, ...card, member(n), venue);
    expect(() => countCall(flood, ...card, member(1), venue)).toThrow(Refusal);
    expect(() => countCall(flood, 'auth.signIn', 'visitor', null, venue)).toThrow(Refusal);
    expect(() => countCall(flood, ...card, member(1), home)).not.toThrow();
    expect(() => countCall(flood, ...bar, { user_id: 'staff', role: 'staff' }, venue)).not.toThrow();
  });
});

describe('counting', () => {
  const limit = { max: 2, window: 60 };

  test('each key has its own window, which begins with its first call', () => {
    const clock = testClock();
    const flood = createFloodLimit(clock.now);
    expect([1, 2, 3].map(() => flood.wait('a', limit))).toEqual([0, 0, 60]);
    clock.advance({ seconds: 45 });
    expect(flood.wait('a', limit)).toBe(15);
    expect(flood.wait('b', limit)).toBe(0);
    clock.advance({ seconds: 15 });
    expect(flood.wait('a', limit)).toBe(0);
    flood.take('a', limit);
    expect(() => flood.take('a', limit)).toThrow(Refusal);
  });

  test('a clock that was set back locks nobody out', () => {
    const clock = testClock();
    const flood = createFloodLimit(clock.now);
    for (let times = 0; times < 5; times += 1) flood.wait('a', limit);
    clock.advance({ days: -365 });
    expect(flood.wait('a', limit)).toBe(0);
  });

  test('made-up keys push out the oldest, and never take more memory', () => {
    const flood = createFloodLimit(testClock().now, 3);
    for (const key of ['a', 'a', 'b', 'c', 'd']) flood.wait(key, limit);
    expect(flood.wait('d', limit)).toBe(0);
    expect([flood.wait('a', limit), flood.wait('a', limit)]).toEqual([0, 0]);
  });
});
