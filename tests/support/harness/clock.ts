/** A clock that a test moves by hand. */
export interface TestClock {
  now(): Date;
  set(instant: string | Date): void;
  advance(by: { days?: number; minutes?: number; seconds?: number }): void;
}

/** Creates a clock that stays at `start` until it is moved. */
export function testClock(start: string | Date = '2026-06-15T12:00:00Z'): TestClock {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    set: (instant) => {
      at = new Date(instant).getTime();
    },
    advance: ({ days = 0, minutes = 0, seconds = 0 }) => {
      at += ((days * 24 * 60 + minutes) * 60 + seconds) * 1000;
    },
  };
}
