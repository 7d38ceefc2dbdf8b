import { describe, expect, it, test } from 'vitest';
import { poursAfterChange, tierChangeKind, tierChangeObstacle } from '../../src/domain/tier-change.ts';

// docs/rules/billing.md, "Billing: changing the tier".

test.each([
  [4900, 6900, 'at_once'],
  [6900, 4900, 'at_period_end'],
  [6900, 6900, 'at_period_end'],
] as const)('from %i to %i cents a month: %s', (from, to, kind) => {
  expect(tierChangeKind(from, to)).toBe(kind);
});

test.each([
  ['active', null, 'elite', null],
  ['active', null, 'premier', 'same_tier'],
  ['active', 'select', 'elite', 'change_pending'],
  ['active', 'select', 'premier', 'change_pending'],
  ['ending', null, 'elite', 'ending'],
  ['ending', 'select', 'elite', 'ending'],
  ['grace', null, 'elite', 'payment_open'],
  ['suspended', null, 'elite', 'payment_open'],
  ['unknown', null, 'elite', 'payment_open'],
] as const)(
  'a %s premier member with %s pending, changing to %s: %s',
  (standing, pending_tier, to, obstacle) => {
    expect(tierChangeObstacle(standing, { tier: 'premier', pending_tier, approval_tier: null }, to)).toBe(
      obstacle,
    );
  },
);

it('a change that waits for the bank blocks any other', () => {
  const current = { tier: 'premier', pending_tier: null, approval_tier: 'elite' };
  expect(tierChangeObstacle('active', current, 'select')).toBe('approval_open');
  expect(tierChangeObstacle('active', current, 'elite')).toBe('approval_open');
});

describe('glasses after a change', () => {
  const has = { available_pours: 1, pours_used: 7, period_pours: 8 };

  it('are the period’s own and the prorated ones, if the change is at once', () => {
    const change = { extra: 4, monthly: 14 };
    expect(poursAfterChange('at_once', has, change)).toEqual({ available_pours: 5, period_pours: 12 });
    const dry = { ...has, pours_used: 20 };
    expect(poursAfterChange('at_once', dry, change)).toEqual({ available_pours: 0, period_pours: 12 });
  });

  it('are those of a full period otherwise', () => {
    const change = { extra: 0, monthly: 4 };
    expect(poursAfterChange('at_period_end', has, change)).toEqual({ available_pours: 4, period_pours: 4 });
  });
});
