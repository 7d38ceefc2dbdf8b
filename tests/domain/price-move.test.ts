import { expect, test } from 'vitest';
import {
  type MovedSubscription,
  moveEffectiveAt,
  moveStep,
  type OpenMove,
} from '../../src/domain/price-move.ts';

const at = (text: string) => new Date(`${text}T12:00:00Z`);

test.each([
  // Columns: today, the current period, the first renewal at least 30 days away.
  ['2026-06-15', '2026-06-15', '2026-07-15', '2026-07-15'],
  ['2026-06-16', '2026-06-15', '2026-07-15', '2026-08-15'],
  ['2026-07-14', '2026-06-15', '2026-07-15', '2026-08-15'],
  // 28 days of February are too few.
  ['2026-02-01', '2026-02-01', '2026-03-01', '2026-04-01'],
  // The subscription's day is the 31st, although the current period does not show it at both ends.
  ['2026-02-10', '2026-01-31', '2026-02-28', '2026-03-31'],
  ['2026-03-15', '2026-02-28', '2026-03-31', '2026-04-30'],
  ['2026-04-02', '2026-03-31', '2026-04-30', '2026-05-31'],
  ['2026-12-20', '2026-11-30', '2026-12-30', '2027-01-30'],
  ['2027-01-02', '2026-12-30', '2027-01-30', '2027-02-28'],
])('announced on %s, in the period from %s to %s: with the renewal on %s', (today, start, end, effective) => {
  const period = { status: 'active', current_period_start: at(start), current_period_end: at(end) };
  expect(moveEffectiveAt(period, at(today))?.toISOString()).toBe(at(effective).toISOString());
});

test.each([
  // Columns: paused until, announced on, the first renewal that the member pays after the return.
  ['2026-08-15', '2026-06-20', '2026-09-15'],
  ['2026-10-15', '2026-06-20', '2026-11-15'],
  ['2026-07-15', '2026-07-10', '2026-08-15'],
])('paused until %s, announced on %s: with the renewal on %s', (until, today, effective) => {
  const period = { current_period_start: at('2026-06-15'), current_period_end: at('2026-07-15') };
  const paused = { ...period, status: 'active', paused_from: at('2026-06-15'), paused_until: at(until) };
  expect(moveEffectiveAt(paused, at(today))).toEqual(at(effective));
  expect(moveEffectiveAt({ ...paused, paused_until: null }, at(today))).toBeNull();
});

const subscription: MovedSubscription = {
  status: 'active',
  cancel_at_period_end: false,
  cancel_at: null,
  grace_until: null,
  current_period_start: at('2026-07-15'),
  current_period_end: at('2026-08-15'),
  stripe_price_id: 'old',
  stripe_schedule_id: null,
  pending_tier: null,
  approval_tier: null,
};
const move: OpenMove = {
  from_price_id: 'old',
  to_price_id: null,
  effective_at: at('2026-08-15'),
  state: 'asked',
  stripe_schedule_id: null,
};
const scheduled: Partial<OpenMove> = {
  state: 'set',
  to_price_id: 'new',
  stripe_schedule_id: 'sub_sched',
};

test.each<[string, Partial<MovedSubscription>, Partial<OpenMove>, ReturnType<typeof moveStep>]>([
  ['in the last period', {}, {}, 'schedule'],
  ['before the last period', { current_period_end: at('2026-07-15') }, {}, 'wait'],
  ['late, in a period after the announced one', { current_period_end: at('2026-09-15') }, {}, 'schedule'],
  ['while a payment is due', { status: 'past_due' }, {}, 'wait'],
  ['while a bank has not approved a larger tier', { approval_tier: 'elite' }, {}, 'wait'],
  ['once Stripe has it', { stripe_schedule_id: 'sub_sched' }, scheduled, 'wait'],
  ['when Stripe lost the schedule', {}, scheduled, 'schedule'],
  ['when the new price is paid', { stripe_price_id: 'new' }, scheduled, 'done'],
  ['when the member canceled, and may resume', { cancel_at_period_end: true }, {}, 'wait'],
  ['when the member canceled after it was scheduled', { cancel_at: at('2026-08-15') }, scheduled, 'wait'],
  ['when the member canceled and resumed after it was scheduled', {}, scheduled, 'schedule'],
  ['when the membership ended', { status: 'canceled' }, {}, 'withdrawn'],
  ['when the member chose a smaller tier', { pending_tier: 'select' }, {}, 'withdrawn'],
  ['when the member chose a larger tier', { stripe_price_id: 'larger' }, scheduled, 'withdrawn'],
])('%s', (_, of, moved, step) => {
  expect(moveStep({ ...move, ...moved }, { ...subscription, ...of })).toBe(step);
});

test('the move of a deleted subscription ends with it', () => {
  expect(moveStep(move, null)).toBe('withdrawn');
});
