import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ActState } from '../../../src/domain/billing-act.ts';
import {
  type CollectionFacts,
  PAUSE_MONTHS,
  type PausedSpan,
  type PauseFacts,
  pauseAgainAt,
  pausedSpan,
  pauseMonthsLeft,
  pauseObstacle,
  pauseSpan,
  pauseStep,
  readStop,
  resumesAt,
  skippedMonths,
} from '../../../src/domain/membership/pause.ts';
import { renewalIn } from '../../../src/domain/price-move.ts';
import { accessUntil, type SubscriptionState, standingOf } from '../../../src/domain/standing.ts';

const at = (day: string) => new Date(`${day}T12:00:00Z`);
const period = {
  status: 'active',
  current_period_start: at('2026-06-15'),
  current_period_end: at('2026-07-15'),
};
const now = at('2026-06-20');
const HOUR = 3_600_000;

test('a pause begins when the paid period ends, and keeps the day of the month', () => {
  expect(pauseSpan(period, 2)).toEqual({ from: at('2026-07-15'), until: at('2026-09-15') });
  const short = { ...period, current_period_start: at('2027-01-31'), current_period_end: at('2027-02-28') };
  expect(PAUSE_MONTHS.map((months) => pauseSpan(short, months).until)).toEqual([
    at('2027-03-31'),
    at('2027-04-30'),
    at('2027-05-31'),
  ]);
});

// Stripe moves the day of billing to a trial's end, and to a day that the venue chooses with a shorter first period.
test.each([
  ['a trial of 120 days', 'trialing', '2028-01-26', '2028-05-25', '2028-06-25'],
  ['a trial to the end of a month', 'trialing', '2027-01-30', '2027-02-28', '2027-03-28'],
  ['a short first period', 'active', '2027-01-28', '2027-02-15', '2027-03-15'],
])('after %s, a pause keeps the day on which it ended', (_, status, start, end, until) => {
  const ended = { status, current_period_start: at(start), current_period_end: at(end) };
  expect(pauseSpan(ended, 1)).toEqual({ from: at(end), until: at(until) });
});

describe('why a membership cannot be paused', () => {
  const free: PauseFacts = {
    ...period,
    standing: 'active',
    pending_tier: null,
    approval_tier: null,
    paused_from: null,
    paid: true,
    months_left: 1,
  };
  test.each<[string, Partial<PauseFacts>, ReturnType<typeof pauseObstacle>]>([
    ['nothing', {}, null],
    ['a pause that has begun', { standing: 'paused' }, 'paused'],
    ['a pause to come', { paused_from: at('2026-07-15') }, 'paused'],
    ['a cancellation', { standing: 'ending' }, 'ending'],
    ['a failed payment', { standing: 'grace' }, 'payment_open'],
    ['a payment that was never made', { standing: 'suspended' }, 'payment_open'],
    ['a renewal whose charge is awaited', { paid: false }, 'payment_open'],
    ['another tier to come', { pending_tier: 'elite' }, 'change_pending'],
    ['a change that the bank must approve', { approval_tier: 'elite' }, 'approval_open'],
    ['an hour before the renewal', { current_period_end: new Date(now.getTime() + HOUR) }, 'renewing'],
    ['more than an hour before it', { current_period_end: new Date(now.getTime() + HOUR + 1) }, null],
    ['no month left in these twelve', { months_left: 0 }, 'too_soon'],
  ])('%s', (_, facts, obstacle) => {
    expect(pauseObstacle({ ...free, ...facts }, now)).toBe(obstacle);
  });
  test('a longer pause than the months left is too soon', () => {
    expect(pauseObstacle({ ...free, months_left: 2 }, now, 3)).toBe('too_soon');
    expect(pauseObstacle({ ...free, months_left: 2 }, now, 2)).toBeNull();
  });
});

describe('the months of pause in any twelve', () => {
  const pause = (day: string, months: number, over_at: Date | null = null) => ({
    starts_at: at(day),
    months,
    over_at,
  });
  const december = skippedMonths([pause('2025-12-15', 1)]);
  test('December and July are both possible, and so is a third month', () => {
    expect(pauseMonthsLeft(december, at('2026-07-15'), 3)).toBe(2);
    expect(pauseMonthsLeft(december, at('2026-07-15'), 2)).toBe(1);
    expect(pauseMonthsLeft(december, at('2026-07-15'), 1)).toBe(0);
  });
  test('a month counts until the same day a year later', () => {
    expect(pauseMonthsLeft(december, at('2026-12-14'), 1)).toBe(0);
    expect(pauseMonthsLeft(december, at('2026-12-15'), 1)).toBe(1);
    const [last] = skippedMonths([pause('2028-02-29', 1)]);
    expect(pauseMonthsLeft(last ? [last] : [], at('2029-02-28'), 1)).toBe(1);
  });
  test('months that make room one by one are counted one by one', () => {
    const summer = skippedMonths([pause('2026-07-15', 3)]);
    expect(summer).toEqual([at('2026-07-15'), at('2026-08-15'), at('2026-09-15')]);
    expect(pauseMonthsLeft(summer, at('2027-06-15'), 3)).toBe(0);
    expect(pauseMonthsLeft(summer, at('2027-07-15'), 3)).toBe(3);
    expect(pauseMonthsLeft(summer, at('2027-06-15'), 4)).toBe(3);
  });
  test('months that a pause no longer skipped do not count', () => {
    expect(skippedMonths([pause('2026-07-15', 3, at('2026-08-15'))])).toEqual([at('2026-07-15')]);
    expect(skippedMonths([pause('2026-07-15', 3, at('2026-07-15'))])).toEqual([]);
  });
  test('the next pause begins at the first renewal with room for a month', () => {
    const skipped = skippedMonths([pause('2025-09-20', 2), pause('2026-03-20', 1)]);
    expect(pauseAgainAt(skipped, period, 3)).toEqual(at('2026-10-15'));
    expect(pauseAgainAt(skipped, period, 1)).toEqual(at('2027-04-15'));
    expect(pauseAgainAt(skipped, period, 4)).toEqual(at('2026-07-15'));
  });
});

test.each<[string, string | null, boolean, string, boolean]>([
  ['active', null, true, 'active', false],
  ['paused', 'pause_requested', true, 'active', true],
  ['paused', 'pause_requested', false, 'active', true],
  ['paused', 'system', true, 'active', true],
  ['paused', 'a reason of a later version', true, 'active', true],
  ['paused', 'first_payment_failure', false, 'past_due', false],
  ['paused', 'final_payment_failure', false, 'past_due', false],
  ['paused', 'final_payment_failure', true, 'active', true],
  ['paused', 'trial_end_without_payment_method', false, 'paused', false],
  ['paused', null, true, 'paused', false],
])(
  "Stripe's status %s by reason %s, paid %s, is read as %s, stopped %s",
  (status, reason, paid, read, stopped) => {
    const stop = reason === null ? null : { reason, at: at('2026-06-20') };
    expect(readStop({ status, stop }, paid)).toEqual({
      status: read,
      stopped_at: stopped ? at('2026-06-20') : null,
    });
  },
);

describe('from when until when a subscription is paused', () => {
  const paid: CollectionFacts = { ...period, status: 'active', pause: null, paid: true };
  const unpaid = { ...paid, paid: false };
  const until = (day: string) => ({ resumes_at: new Date(at(day).getTime() - HOUR) });
  const span = (from: string, to: string | null): PausedSpan => ({
    paused_from: at(from),
    paused_until: to === null ? null : at(to),
  });
  const none = { paused_from: null, paused_until: null };
  test.each<[string, CollectionFacts, Parameters<typeof pausedSpan>[1], unknown]>([
    ['not at all', paid, null, none],
    [
      'after the paid period',
      { ...paid, pause: until('2026-09-15') },
      null,
      span('2026-07-15', '2026-09-15'),
    ],
    ['without an end', { ...paid, pause: { resumes_at: null } }, null, span('2026-07-15', null)],
    ['Stripe goes on before the renewal', { ...paid, pause: until('2026-07-15') }, null, none],
    [
      'Stripe goes on at the instant of the renewal',
      { ...paid, pause: { resumes_at: at('2026-07-15') } },
      null,
      none,
    ],
    [
      'Stripe goes on a moment after the renewal',
      { ...paid, pause: { resumes_at: new Date(at('2026-07-15').getTime() + 1000) } },
      null,
      span('2026-07-15', '2026-08-15'),
    ],
    [
      'in a month that nobody paid',
      { ...unpaid, pause: until('2026-09-15') },
      null,
      span('2026-06-15', '2026-09-15'),
    ],
    [
      'set at Stripe while a payment is overdue',
      { ...unpaid, status: 'past_due', pause: { resumes_at: null } },
      null,
      none,
    ],
    [
      'set at Stripe on hold, after retries ended',
      { ...unpaid, status: 'unpaid', pause: until('2026-09-15') },
      null,
      none,
    ],
    [
      'in its second month',
      { ...unpaid, pause: until('2026-09-15') },
      span('2026-05-15', '2026-09-15'),
      span('2026-05-15', '2026-09-15'),
    ],
    [
      'Stripe goes on an hour before the return',
      unpaid,
      span('2026-05-15', '2026-07-15'),
      span('2026-05-15', '2026-07-15'),
    ],
    [
      'someone lifted it at Stripe: the month that nobody paid is not given',
      unpaid,
      span('2026-06-15', '2026-09-15'),
      span('2026-06-15', '2026-07-15'),
    ],
    ['the renewal after it', unpaid, span('2026-04-15', '2026-06-15'), none],
    ['taken back before it began', paid, span('2026-07-15', '2026-09-15'), none],
    ['came back early, and paid', paid, span('2026-05-15', '2026-09-15'), none],
    [
      'Stripe stopped it within a paid period',
      { ...paid, stopped_at: at('2026-06-20') },
      null,
      span('2026-06-20', null),
    ],
    [
      'Stripe stopped it while it was paused here',
      { ...unpaid, stopped_at: at('2026-06-20') },
      span('2026-06-15', '2026-09-15'),
      span('2026-06-15', null),
    ],
    [
      'Stripe stopped it after a pause that we did not see end',
      { ...unpaid, stopped_at: at('2026-06-20') },
      span('2026-04-15', '2026-06-15'),
      span('2026-06-20', null),
    ],
    ['Stripe resumed it within the paid period', paid, span('2026-06-20', null), none],
    [
      'Stripe resumed it, and the charge failed',
      { ...unpaid, status: 'past_due' },
      span('2026-05-20', null),
      none,
    ],
    ['ended', { ...paid, status: 'canceled', pause: until('2026-09-15') }, null, none],
    [
      'the charge of the running period came after the pause was set',
      { ...paid, pause: until('2026-09-15') },
      span('2026-06-15', '2026-09-15'),
      span('2026-07-15', '2026-09-15'),
    ],
  ])('%s', (_, stripe, before, expected) => {
    expect(pausedSpan(stripe, before)).toEqual(expected);
  });

  test('the requested pause is read back from Stripe, in each of its months, for any billing day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) }),
        fc.constantFrom(...PAUSE_MONTHS),
        (start, months) => {
          const first = new Date(Math.floor(start / 1000) * 1000);
          const anchored = { status: 'active', current_period_start: first, current_period_end: first };
          const boundary = (n: number) => renewalIn(n, anchored);
          const running = { ...anchored, current_period_end: boundary(1) };
          const asked = pauseSpan(running, months);
          const pause = { resumes_at: resumesAt(asked.until) };
          let seen = pausedSpan({ ...running, pause, paid: true }, null);
          for (let month = 1; month <= months; month++) {
            expect(seen).toEqual({ paused_from: asked.from, paused_until: asked.until });
            const later = { current_period_start: boundary(month), current_period_end: boundary(month + 1) };
            seen = pausedSpan({ ...later, status: 'active', pause, paid: false }, seen);
          }
          expect(seen).toEqual({ paused_from: asked.from, paused_until: asked.until });
        },
      ),
    );
  });

  test('no access from its first to its last instant, and until then as before', () => {
    const state: SubscriptionState = {
      status: 'active',
      cancel_at_period_end: false,
      current_period_end: period.current_period_end,
      grace_until: null,
      paused_from: at('2026-07-15'),
      paused_until: at('2026-09-15'),
    };
    const justBefore = (instant: Date) => new Date(instant.getTime() - 1);
    expect(standingOf(state, justBefore(at('2026-07-15')))).toBe('active');
    expect(accessUntil(state, now)).toEqual(at('2026-07-15'));
    for (const instant of [at('2026-07-15'), at('2026-08-20'), justBefore(at('2026-09-15'))]) {
      expect(standingOf(state, instant)).toBe('paused');
      expect(accessUntil(state, instant)).toBeNull();
      expect(standingOf({ ...state, cancel_at: at('2026-10-15') }, instant)).toBe('paused');
      expect(standingOf({ ...state, cancel_at: instant }, instant)).toBe('ended');
      expect(standingOf({ ...state, status: 'past_due' }, instant)).toBe('suspended');
    }
    expect(standingOf(state, at('2026-09-15'))).toBe('active');
  });
});

describe('the next step of a pause', () => {
  const pause = { starts_at: at('2026-07-15'), ends_at: at('2026-09-15') };
  type Subscription = NonNullable<Parameters<typeof pauseStep>[1]>;
  const plain: Subscription = {
    status: 'active',
    cancel_at_period_end: false,
    current_period_end: at('2026-07-15'),
    grace_until: null,
    paused_from: null,
    paused_until: null,
  };
  const paused = { ...plain, paused_from: at('2026-07-15'), paused_until: at('2026-09-15') };
  const other = { ...paused, paused_until: at('2026-10-15') };
  const august = at('2026-08-01');
  type Row = [ActState, string, Subscription | null, Date, ReturnType<typeof pauseStep>];
  test.each<Row>([
    ['asked', 'Stripe does not have it', plain, now, 'request'],
    ['asked', 'Stripe has it', paused, now, 'set'],
    ['asked', 'the renewal is half an hour away', plain, at('2026-07-15'), 'refused'],
    ['asked', 'another subscription', null, now, 'done'],
    ['set', 'it is to come', paused, now, 'wait'],
    ['set', 'it has begun', paused, august, 'wait'],
    ['set', 'it is over', plain, at('2026-09-15'), 'done'],
    ['set', 'lifted at Stripe before it began', plain, now, 'withdrawn'],
    ['set', 'lifted after it began', plain, august, 'done'],
    ['set', 'the subscription ended', { ...plain, status: 'canceled' }, august, 'done'],
    ['withdrawing', 'Stripe has it still', paused, now, 'clear'],
    ['withdrawing', 'Stripe has it no more', plain, now, 'withdrawn'],
    ['withdrawn', 'a late request set it all the same', paused, now, 'clear'],
    ['withdrawn', 'nothing is left of it', plain, now, 'wait'],
    ['refused', 'a late request set it all the same', paused, august, 'clear'],
    ['refused', 'another pause is on', other, august, 'wait'],
    ['done', 'nothing is left of it', plain, august, 'wait'],
  ])('%s, %s', (state, _, subscription, instant, step) => {
    expect(pauseStep({ ...pause, state }, subscription, instant)).toBe(step);
  });

  const extended = { ...pause, extended_from: at('2026-08-15') };
  const before = { ...paused, paused_until: at('2026-08-15') };
  const rest = { ...paused, paused_from: at('2026-08-25'), paused_until: at('2026-09-25') };
  test.each<Row>([
    ['asked', 'Stripe has the earlier end', before, now, 'request'],
    ['asked', 'Stripe has the earlier end, and it has begun', before, august, 'request'],
    ['asked', 'Stripe has the new end', paused, august, 'set'],
    ['asked', 'the earlier end is there', plain, at('2026-08-15'), 'done'],
    ['asked', 'the member came back', plain, august, 'done'],
    ['asked', 'the member came back, and it was set for the rest', rest, august, 'clear'],
    ['asked', 'lifted at Stripe before it began', plain, now, 'withdrawn'],
    ['done', 'a late request set the rest', rest, august, 'clear'],
    ['done', 'another pause is on', { ...rest, paused_until: at('2026-10-25') }, august, 'wait'],
    ['done', 'nothing is left of it', plain, august, 'wait'],
    ['done', 'the subscription ended', { ...plain, status: 'canceled' }, august, 'wait'],
    ['withdrawing', 'Stripe has the earlier end', before, now, 'clear'],
    ['withdrawing', 'Stripe has it no more', plain, now, 'withdrawn'],
  ])('extended: %s, %s', (state, _, subscription, instant, step) => {
    expect(pauseStep({ ...extended, state }, subscription, instant)).toBe(step);
  });
  test('an extension is given up half an hour before the earlier end', () => {
    const end = at('2026-08-15').getTime();
    const stepAt = (ms: number) => pauseStep({ ...extended, state: 'asked' }, before, new Date(end - ms));
    expect([stepAt(HOUR / 2 + 1), stepAt(HOUR / 2)]).toEqual(['request', 'shorten']);
  });
});
