import { describe, expect, test } from 'vitest';
import { approvedTier, readyToPay } from '../../src/domain/application.ts';
import { pourCount, pourReference, voidNeedsReason } from '../../src/domain/pour.ts';
import { tierLabel } from '../../src/domain/tiers.ts';

describe('a recorded pour', () => {
  test('has the reference POUR- and its time', () => {
    expect(pourReference(new Date(1_781_524_800_123))).toBe('POUR-1781524800123');
  });

  test.each([
    [1, '1 pour'],
    [2, '2 pours'],
  ])('%i is shown as %s', (quantity, shown) => {
    expect(pourCount(quantity)).toBe(shown);
  });
});

describe('voiding a pour needs a reason', () => {
  const recorded_at = new Date('2026-06-15T20:00:00Z');
  test.each([
    ['not from the one who recorded it, at once', 'noor', 0, false],
    ['not from the one who recorded it, after exactly ten seconds', 'noor', 10_000, false],
    ['from the one who recorded it, a millisecond later', 'noor', 10_001, true],
    ['from other staff, at once', 'sam', 0, true],
    ['not from the one who recorded it, with a clock set back', 'noor', -1000, false],
  ])('%s', (_, by, elapsed, needed) => {
    const at = new Date(recorded_at.getTime() + elapsed);
    expect(voidNeedsReason({ recorded_by: 'noor', recorded_at }, { by, at })).toBe(needed);
  });
});

describe('tiers', () => {
  test.each(['Select', 'Premier', 'Elite', 'Household', 'Reserve', 'Connoisseur'])(
    '%s is a badge label',
    (label) => {
      expect(tierLabel(label.toLowerCase())).toBe(label);
    },
  );

  test('an application without a tier is approved as select', () => {
    expect(approvedTier(null)).toBe('select');
    expect(approvedTier('elite')).toBe('elite');
  });

  test.each([
    [true, 'elite', true],
    [false, 'elite', false],
    [true, null, false],
    [true, 'grand_cru', true],
  ])('complete %s with tier %s is ready to pay: %s', (is_complete, selected_tier, ready) => {
    expect(readyToPay({ is_complete, selected_tier })).toBe(ready);
  });
});
