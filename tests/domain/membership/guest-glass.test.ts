import { describe, expect, it } from 'vitest';
import {
  type GuestGlass,
  type GuestGlassObstacle,
  guestGlassExpiry,
  guestGlassObstacle,
} from '../../../src/domain/membership/guest-glass.ts';

// docs/rules/glasses.md, "A glass for a guest".

const on = (day: number) => new Date(Date.UTC(2026, 5, day, 12));
const PERIOD = { start: on(1), end: on(30) };
const GLASS: GuestGlass = {
  created_at: on(10),
  expires_at: on(17),
  age_stated: true,
  withdrawn: false,
  poured: false,
};

describe('a glass is held', () => {
  it.each([
    [10, 17],
    [23, 30],
    [24, 30],
    [29, 30],
  ])('from day %i to day %i: seven days, at most until the period ends on day 30', (given, until) => {
    expect(guestGlassExpiry(on(given), PERIOD.end)).toEqual(on(until));
  });
});

it.each<[Partial<GuestGlass>, Date, GuestGlassObstacle | null]>([
  [{}, on(11), null],
  [{ age_stated: false }, on(11), 'age_not_stated'],
  [{ age_stated: false }, on(17), 'expired'],
  [{ created_at: new Date(on(1).getTime() - 1) }, on(11), 'expired'],
  [{ withdrawn: true }, on(17), 'withdrawn'],
  [{ poured: true, withdrawn: true }, on(17), 'used'],
])('at the bar, %o at %s: %s', (glass, now, obstacle) => {
  expect(guestGlassObstacle({ ...GLASS, ...glass }, PERIOD, now)).toBe(obstacle);
});
