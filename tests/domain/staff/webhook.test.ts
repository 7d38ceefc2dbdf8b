import { describe, expect, it, test } from 'vitest';
import {
  afterFailedTry,
  isTaken,
  isWebhookUrl,
  WEBHOOK_RETRY_SECONDS,
} from '../../../src/domain/staff/webhook.ts';

test.each([
  ['https://till.example/hook?shop=1', true],
  ['https://till.example:8443/', true],
  ['http://till.example/', false],
  ['https://user@till.example/', false],
  ['https://user:secret@till.example/', false],
  ['https://till.example/#part', false],
  ['till.example', false],
  [`https://till.example/${'x'.repeat(500)}`, false],
])('%s can be an endpoint: %s', (url, expected) => {
  expect(isWebhookUrl(url)).toBe(expected);
});

test.each([
  [200, true],
  [204, true],
  [302, false],
  [400, false],
  [500, false],
  [null, false],
])('an answer of %s counts as accepted: %s', (status, expected) => {
  expect(isTaken(status)).toBe(expected);
});

describe('after a failed try', () => {
  const first = new Date('2026-06-01T12:00:00Z');
  const failed = { status: 500, first_attempt_at: first, last_success_at: null };

  it('another follows, later each time, for almost three days', () => {
    const waits = WEBHOOK_RETRY_SECONDS.map((_, i) => afterFailedTry({ ...failed, attempts: i + 1 }));
    expect(waits).toEqual(WEBHOOK_RETRY_SECONDS.map((retry) => ({ retry })));
    expect([...WEBHOOK_RETRY_SECONDS].sort((a, b) => a - b)).toEqual(WEBHOOK_RETRY_SECONDS);
    const days = WEBHOOK_RETRY_SECONDS.reduce((sum, it) => sum + it, 0) / 86_400;
    expect(days).toBeGreaterThan(2.5);
    expect(days).toBeLessThan(3);
  });

  const last = { ...failed, attempts: WEBHOOK_RETRY_SECONDS.length + 1 };
  it('the last one turns off an endpoint that has accepted nothing since the first', () => {
    expect(afterFailedTry(last)).toEqual({ off: 'failing' });
    expect(afterFailedTry({ ...last, last_success_at: new Date(first.getTime() - 1) })).toEqual({
      off: 'failing',
    });
  });

  it('the last one gives up only this message if others were accepted', () => {
    expect(afterFailedTry({ ...last, last_success_at: new Date(first.getTime() + 1) })).toBe('give up');
  });

  it('an endpoint that says it is gone is turned off at once', () => {
    expect(afterFailedTry({ ...failed, attempts: 1, status: 410 })).toEqual({ off: 'gone' });
  });
});
