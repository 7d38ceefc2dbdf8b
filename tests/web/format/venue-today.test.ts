import { expect, onTestFinished, test, vi } from 'vitest';
import { noteServerTime } from '../../../src/web/api/server-clock.ts';
import { venueToday } from '../../../src/web/format/venue-today.ts';

test('today is the day at the venue by the server’s clock, on a device that is a day ahead', () => {
  vi.useFakeTimers({ now: new Date('2026-08-13T12:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    noteServerTime(new Date().toUTCString());
  });
  noteServerTime('Wed, 12 Aug 2026 03:00:00 GMT');
  expect(venueToday()).toBe('2026-08-12');
});
