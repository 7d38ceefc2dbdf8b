import { expect, test } from 'vitest';
import { type KnownAlert, nextAlert } from '../../../src/domain/monitoring/alerts.ts';
import type { Alert } from '../../../src/domain/monitoring/check.ts';
import { ago, DAY, HOUR, MINUTE, now } from '../../support/fixtures/system-facts.ts';

type When = Pick<Alert, 'since' | 'once'>;
const disk: When = { since: null };
const known = (began: number, seen: number, sent: number | null): KnownAlert => ({
  began_at: ago(began),
  seen_at: ago(seen),
  sent_at: sent === null ? null : ago(sent),
});
test.each<[string, KnownAlert | null, When, boolean]>([
  ['at once', null, disk, true],
  ['not again after five minutes', known(5 * MINUTE, 5 * MINUTE, 5 * MINUTE), disk, false],
  ['not again after an hour', known(HOUR, 5 * MINUTE, HOUR), disk, false],
  ['again after a day', known(DAY, 5 * MINUTE, DAY), disk, true],
  ['not about one that came back within the hour', known(50 * MINUTE, 30 * MINUTE, 50 * MINUTE), disk, false],
  ['about that once the hour is over', known(10 * MINUTE, 5 * MINUTE, HOUR), disk, true],
  ['about one that came back later', known(3 * HOUR, 2 * HOUR, 3 * HOUR), disk, true],
  ['in spite of a clock that was ahead', known(-DAY, -DAY, -DAY), disk, true],
  [
    'about a disputed payment once',
    known(2 * DAY, 5 * MINUTE, 2 * DAY),
    { since: ago(2 * DAY + 1), once: true },
    false,
  ],
  ['about the next one', known(2 * DAY, 5 * MINUTE, 2 * DAY), { since: ago(MINUTE), once: true }, true],
  [
    'about the next one within the hour later',
    known(9 * MINUTE, 9 * MINUTE, 9 * MINUTE),
    { since: ago(MINUTE), once: true },
    false,
  ],
])('owners are emailed %s', (_, row, alert, expected) => {
  const next = nextAlert(row, alert, now);
  expect(next.send).toBe(expected);
  expect(next).toMatchObject({ seen_at: now, sent_at: expected ? now : (row?.sent_at ?? null) });
});
