import { describe, expect, test } from 'vitest';
import {
  type AnnouncedMove,
  type Charge,
  type ChargedSubscription,
  type PreviewedMonth,
  recurringCents,
  upcomingCharges,
} from '../../../src/domain/membership/upcoming-charges.ts';

const at = (day: string) => new Date(`${day}T12:00:00Z`);
const now = at('2026-06-20');
const plain: ChargedSubscription = {
  status: 'active',
  cancel_at_period_end: false,
  cancel_at: null,
  grace_until: null,
  current_period_start: at('2026-06-15'),
  current_period_end: at('2026-07-15'),
  tier: 'select',
  amount_cents: 3900,
  add_ons_cents: 0,
  pending_tier: null,
  pending_from: null,
  pending_amount_cents: null,
  preview: null,
};
const larger = { pending_tier: 'premier', pending_amount_cents: 6900 };
const move = (day: string, to_tier = 'select'): AnnouncedMove => ({
  ...{ to_tier, to_amount_cents: 4500, effective_at: at(day) },
});
const charge = (day: string, tier: string, amount_cents: number, monthly_cents = amount_cents): Charge => ({
  ...{ at: at(day), tier, amount_cents, monthly_cents },
});
const pause = (from: string, until: string | null) => ({
  ...{ paused_from: at(from), paused_until: until === null ? null : at(until) },
});
const none = null;

test.each<[string, Partial<ChargedSubscription>, AnnouncedMove | null, Charge | null, Charge | null]>([
  ['nothing changes', {}, none, charge('2026-07-15', 'select', 3900), none],
  [
    'another tier with the renewal',
    { ...larger, pending_from: at('2026-07-15') },
    none,
    charge('2026-07-15', 'premier', 6900),
    charge('2026-07-15', 'premier', 6900),
  ],
  [
    'another tier later',
    { ...larger, pending_from: at('2026-08-15') },
    none,
    charge('2026-07-15', 'select', 3900),
    charge('2026-08-15', 'premier', 6900),
  ],
  [
    'a move with the renewal, add-ons as before',
    { amount_cents: 4900, add_ons_cents: 1000 },
    move('2026-07-15'),
    charge('2026-07-15', 'select', 5500),
    charge('2026-07-15', 'select', 5500),
  ],
  [
    'a move with a later renewal, to another tier',
    {},
    move('2026-09-15', 'elite'),
    charge('2026-07-15', 'select', 3900),
    charge('2026-09-15', 'elite', 4500),
  ],
  [
    'a move that a renewal came before',
    {},
    move('2026-06-15'),
    charge('2026-07-15', 'select', 4500),
    charge('2026-07-15', 'select', 4500),
  ],
  [
    'a pause to come: the return, and the move with the renewal after it',
    pause('2026-07-15', '2026-09-15'),
    move('2026-08-15'),
    charge('2026-09-15', 'select', 3900),
    charge('2026-10-15', 'select', 4500),
  ],
  [
    'a pause that has begun, and a move whose day has passed in it',
    pause('2026-05-15', '2026-08-15'),
    move('2026-06-15'),
    charge('2026-08-15', 'select', 3900),
    charge('2026-09-15', 'select', 4500),
  ],
  ['a pause without an end', pause('2026-06-15', null), move('2026-07-15'), none, none],
  [
    'a pause that is over, before Stripe was asked',
    pause('2026-04-15', '2026-06-19'),
    none,
    charge('2026-07-15', 'select', 3900),
    none,
  ],
  ['canceled: the move rests', { cancel_at_period_end: true }, move('2026-07-15'), none, none],
  [
    'canceled in a pause',
    { ...pause('2026-06-15', '2026-08-15'), cancel_at_period_end: true },
    none,
    none,
    none,
  ],
  [
    'ends after the renewal, and before the move',
    { cancel_at: at('2026-07-20') },
    move('2026-08-15'),
    charge('2026-07-15', 'select', 3900),
    none,
  ],
  [
    'a payment is overdue',
    { status: 'past_due', grace_until: at('2026-06-22') },
    none,
    charge('2026-07-15', 'select', 3900),
    none,
  ],
  ['on hold', { status: 'unpaid' }, move('2026-07-15'), none, none],
  ['ended', { status: 'canceled' }, move('2026-07-15'), none, none],
])('%s', (_, changes, moved, next, change) => {
  expect(upcomingCharges({ ...plain, ...changes }, moved, now)).toEqual({ next, change });
});

describe('with discounts, as previewed by Stripe', () => {
  const month = (full_cents: number, due_cents: number, off: PreviewedMonth['off']): PreviewedMonth => ({
    ...{ full_cents, due_cents, off },
  });
  const always = (cents: number) => ({ cents, once: false, until: null });
  const once = (cents: number) => ({ cents, once: true, until: null });
  const through = (day: string, cents: number) => ({ cents, once: false, until: at(day).toISOString() });
  const next = (of: Partial<ChargedSubscription>) => upcomingCharges({ ...plain, ...of }, null, now).next;
  const current = (it: PreviewedMonth) => ({ preview: { current: it, changed: null } });

  test.each<[string, PreviewedMonth, Charge, recurring: number]>([
    ['one that goes on', month(3900, 1950, [always(1950)]), charge('2026-07-15', 'select', 1950), 1950],
    ['all of it', month(3900, 0, [always(3900)]), charge('2026-07-15', 'select', 0), 0],
    ['once', month(3900, 2900, [once(1000)]), charge('2026-07-15', 'select', 2900, 3900), 3900],
    ['credit', month(3900, 1400, []), charge('2026-07-15', 'select', 1400, 3900), 3900],
    [
      'for some months',
      month(3900, 1900, [through('2026-09-01', 2000)]),
      charge('2026-07-15', 'select', 1900, 3900),
      1900,
    ],
  ])('%s', (_, previewed, expected, recurring) => {
    expect(next(current(previewed))).toEqual(expected);
    expect(recurringCents({ ...plain, ...current(previewed) }, now)).toBe(recurring);
  });

  test('a charge after the coming renewal has only the discounts that still count then', () => {
    // The last of them ends with the charge.
    const over = [through('2026-08-01', 2000), through('2026-09-15', 300)];
    const preview = month(3900, 100, [...over, always(500), once(1000)]);
    expect(next({ ...current(preview), ...pause('2026-07-15', '2026-09-15') })).toEqual(
      charge('2026-09-15', 'select', 3400),
    );
  });

  test('another price is net of what it is reduced by', () => {
    const preview = {
      current: month(3900, 1950, [always(1950)]),
      changed: month(4500, 2250, [always(2250)]),
    };
    const charges = (day: string) => upcomingCharges({ ...plain, preview }, move(day), now);
    expect(charges('2026-08-15')).toEqual({
      next: charge('2026-07-15', 'select', 1950),
      change: charge('2026-08-15', 'select', 2250),
    });
    expect(charges('2026-07-15').next).toEqual(charge('2026-07-15', 'select', 2250));
  });
});
