import { describe, expect, test } from 'vitest';
import { CLUB_FIELDS, CLUB_NUMBERS, isInRange } from '../../../src/domain/club/club-settings.ts';
import { recentGlasses, serviceLevel } from '../../../src/domain/membership/service.ts';

const NOW = new Date('2026-11-22T21:00:00.000Z');
const ago = (minutes: number, quantity = 1) => ({
  quantity,
  created_at: new Date(NOW.getTime() - minutes * 60_000).toISOString(),
});

describe('glasses within the last two hours', () => {
  test.each([
    ['none', [], 0],
    ['glasses, not pours', [ago(5, 2), ago(60)], 3],
    ['one of two hours ago counts no more', [ago(120), ago(119)], 1],
    ['on a device whose clock is behind, one that is still to come', [ago(-3)], 1],
  ])('%s', (_, pours, glasses) => expect(recentGlasses(pours, NOW)).toBe(glasses));
});

describe('what a number of glasses means', () => {
  const levels = (amber: number, water: number) =>
    [0, 1, 2, 3, 4, 5].map((glasses) => serviceLevel(glasses, { amber, water }));
  test('a warning at three and water at four, unless the club says otherwise', () => {
    const { service_amber, service_water } = CLUB_NUMBERS;
    expect(levels(service_amber.preset, service_water.preset)).toEqual([
      'fine',
      'fine',
      'fine',
      'amber',
      'water',
      'water',
    ]);
  });
  test('a reminder set below the warning takes precedence', () => {
    expect(levels(4, 2)).toEqual(['fine', 'fine', 'water', 'water', 'water', 'water']);
  });
});

test('each number of the club is a setting, with a default within its range', () => {
  for (const [field, range] of Object.entries(CLUB_NUMBERS)) {
    expect(CLUB_FIELDS).toContain(field);
    expect([field, isInRange(range, range.preset)]).toEqual([field, true]);
  }
});
