import { describe, expect, test } from 'vitest';
import { barStanding, poursReturnAt } from '../../src/domain/bar.ts';
import type { SubscriptionState } from '../../src/domain/standing.ts';

const now = new Date('2026-11-22T07:00:00Z');
const earlier = new Date('2026-11-04T03:00:00Z');
const later = new Date('2026-12-21T10:00:00Z');
const paid: SubscriptionState = {
  status: 'active',
  cancel_at_period_end: false,
  current_period_end: later,
  grace_until: null,
};
const seen = (active: boolean, subscription: SubscriptionState | null, ended_on: string | null = null) =>
  Object.values(barStanding({ active, subscription, ended_on }, now, 'America/New_York'));

describe('what staff are told before they pour', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['billed at the venue', seen(true, null), ['venue', null]],
    ['paid by card', seen(true, paid), ['active', null]],
    ['ended, not swept up yet', seen(true, { ...paid, cancel_at: earlier }), ['ended', '2026-11-03']],
    [
      'grace over',
      seen(true, { ...paid, status: 'past_due', grace_until: earlier }),
      ['suspended', '2026-11-03'],
    ],
    ['canceled, no day known', seen(true, { ...paid, status: 'canceled' }), ['ended', null]],
    ['lost the card', seen(false, { ...paid, status: 'canceled' }, '2026-11-01'), ['ended', '2026-11-01']],
    ['unpaid', seen(false, { ...paid, status: 'unpaid' }, '2026-11-01'), ['suspended', '2026-11-01']],
    ['our copy still looks paid', seen(false, paid, '2026-11-01'), ['ended', '2026-11-01']],
    ['was billed at the venue', seen(false, null, '2026-11-01'), ['inactive', '2026-11-01']],
    ['never was a member', seen(false, null), ['inactive', null]],
  ])('%s', (_, told, expected) => {
    expect(told).toEqual(expected);
  });
});

describe('glasses come back', () => {
  const facts = { standing: 'active', period_end: later, ends_at: null, pours_when_paid: 0 } as const;
  test('with the next period, by card or at the venue', () => {
    expect(poursReturnAt(facts)).toBe(later);
    expect(poursReturnAt({ ...facts, standing: 'venue' })).toBe(later);
  });
  test('only if the membership goes on', () => {
    expect(poursReturnAt({ ...facts, standing: 'ending', ends_at: later })).toBeNull();
    expect(poursReturnAt({ ...facts, standing: 'ending', ends_at: new Date(later.getTime() + 1) })).toBe(
      later,
    );
    for (const standing of ['grace', 'suspended', 'ended', 'inactive', 'unknown'] as const) {
      expect(poursReturnAt({ ...facts, standing })).toBeNull();
    }
  });
  test('with the payment, on no day known, while it is awaited', () => {
    expect(poursReturnAt({ ...facts, pours_when_paid: 3 })).toBeNull();
  });
});
