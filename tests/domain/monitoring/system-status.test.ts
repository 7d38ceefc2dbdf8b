import { describe, expect, it, test } from 'vitest';
import {
  type Alert,
  alertsOf,
  backupHealth,
  certificateHealth,
  clockHealth,
  databaseHealth,
  diskHealth,
  emailHealth,
  isDeliveryStuck,
  isOwnAddress,
  isSystemWell,
  type KnownAlert,
  leftoversHealth,
  nextAlert,
  type PaymentFacts,
  paymentsHealth,
} from '../../../src/domain/monitoring/system-status.ts';

const now = new Date('2026-06-15T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GB = 1024 ** 3;
const ago = (ms: number) => new Date(now.getTime() - ms);

test.each([
  [{ answered_ms: 20, own_version: true }, 'well'],
  [{ answered_ms: 1000, own_version: true }, 'attention'],
  [{ answered_ms: 4000, own_version: true }, 'failing'],
  [{ answered_ms: 20, own_version: false }, 'failing'],
  [{ members: 5_000 }, 'well'],
  [{ members: 5_001 }, 'attention'],
  [{ members: 5_001, answered_ms: 4000 }, 'failing'],
  [{ members: 500_000, kind: 'postgres' as const }, 'well'],
])('the database with %j is %s', (facts, expected) => {
  const well = { kind: 'embedded' as const, members: 612, answered_ms: 20, own_version: true };
  expect(databaseHealth({ ...well, ...facts })).toBe(expected);
});

const PAYMENTS: PaymentFacts = {
  last_sweep_at: ago(MINUTE),
  started_at: ago(DAY),
  unanswered_since: null,
  last_event_at: null,
  has_subscriptions: false,
  oldest_open_event_at: null,
};

describe('payments', () => {
  it.each<[string, Partial<PaymentFacts>, string]>([
    ['nobody pays by card yet', {}, 'well'],
    ['the server has just started', { last_sweep_at: null, started_at: ago(MINUTE) }, 'well'],
    ['no sweep has succeeded since the start', { last_sweep_at: null, started_at: ago(HOUR) }, 'failing'],
    ['the last sweep is five minutes old', { last_sweep_at: ago(5 * MINUTE) }, 'attention'],
    ['Stripe did not answer the last request', { unanswered_since: now }, 'attention'],
    ['Stripe has answered nothing for 15 minutes', { unanswered_since: ago(15 * MINUTE) }, 'failing'],
    ['an event waits for a quarter of an hour', { oldest_open_event_at: ago(15 * MINUTE) }, 'attention'],
    ['an event waits for a day', { oldest_open_event_at: ago(DAY) }, 'failing'],
    ['Stripe never called, though members pay by card', { has_subscriptions: true }, 'attention'],
    ['Stripe has not called for 34 days', { has_subscriptions: true, last_event_at: ago(34 * DAY) }, 'well'],
    [
      'Stripe has not called for 35 days',
      { has_subscriptions: true, last_event_at: ago(35 * DAY) },
      'attention',
    ],
  ])('%s', (_, facts, expected) => {
    expect(paymentsHealth({ ...PAYMENTS, ...facts }, now)).toBe(expected);
  });
});

test.each([
  [true, null, ago(DAY), 'well'],
  [true, ago(14 * MINUTE), null, 'well'],
  [true, ago(15 * MINUTE), null, 'attention'],
  [true, ago(59 * MINUTE), null, 'attention'],
  [true, ago(HOUR), null, 'failing'],
  [true, ago(HOUR), ago(2 * HOUR), 'failing'],
  [true, ago(2 * DAY), ago(59 * MINUTE), 'attention'],
  [false, null, null, 'attention'],
])(
  'email with a mail server (%s), the oldest from %s, the last sent at %s: %s',
  (sends, oldest_at, sent_at, expected) => {
    expect(emailHealth({ sends, own_address: true, oldest_at, sent_at }, now)).toBe(expected);
  },
);

test.each([
  ['hello@cellardoor.example', false],
  ['The Copper Vine <hello@example.com>', false],
  ['club@localhost', false],
  ['hello@copper-vine.com', true],
  ['The Copper Vine <wine@test.copper-vine.com>', true],
])('emails from %s come from a club’s own address: %s', (from, own_address) => {
  expect(isOwnAddress(from)).toBe(own_address);
  const facts = { sends: true, own_address, oldest_at: null, sent_at: ago(DAY) };
  expect(emailHealth(facts, now)).toBe(own_address ? 'well' : 'attention');
});

const BACKUP = {
  watched: true,
  plan: 'daily' as const,
  last_at: null,
  failed_at: null,
  copy_failed_at: null,
  started_at: ago(DAY),
};

test.each([
  [null, null, 'attention'],
  [ago(25 * HOUR), null, 'well'],
  [ago(25 * HOUR), ago(HOUR), 'attention'],
  [ago(26 * HOUR), null, 'attention'],
  [ago(47 * HOUR), ago(HOUR), 'attention'],
  [ago(2 * DAY), null, 'failing'],
])('a last backup of %s, and a failed attempt at %s: %s', (last_at, failed_at, expected) => {
  expect(backupHealth({ ...BACKUP, last_at, failed_at }, now)).toBe(expected);
});

test('a copy that failed needs attention, though the backup was made', () => {
  expect(backupHealth({ ...BACKUP, last_at: now, copy_failed_at: now }, now)).toBe('attention');
});

test('backups made outside, in an unnamed folder, cannot be seen', () => {
  expect(backupHealth({ ...BACKUP, watched: false }, now)).toBe('unknown');
});

test.each([
  ['daily', 9, null, 'well'],
  ['daily', 10, null, 'attention'],
  ['daily', 9, 1, 'attention'],
  ['off', 9, null, 'attention'],
  ['demo', 900, null, 'well'],
] as const)(
  'no backup yet, with the plan %s, %s minutes after the start, a try failed %s minutes ago: %s',
  (plan, started, failed, expected) => {
    const started_at = ago(started * MINUTE);
    const failed_at = failed === null ? null : ago(failed * MINUTE);
    expect(backupHealth({ ...BACKUP, plan, started_at, failed_at }, now)).toBe(expected);
  },
);

test.each([
  [null, 'unknown'],
  [2 * GB, 'well'],
  [GB - 1, 'attention'],
  [GB / 4 - 1, 'failing'],
])('%s free bytes are %s', (free, expected) => {
  expect(diskHealth(free)).toBe(expected);
});

test.each([
  [[null, null], 'well'],
  [[4999, -4999], 'well'],
  [[0, -5000], 'attention'],
  [[60_000, null], 'failing'],
])('clocks that differ by %j ms are %s', (skews, expected) => {
  expect(clockHealth(skews)).toBe(expected);
});

test('anything left to do needs attention', () => {
  expect(leftoversHealth([0, 0])).toBe('well');
  expect(leftoversHealth([0, 1])).toBe('attention');
});

test.each([
  ['nothing is due', { due_at: ago(-MINUTE), delivered_at: ago(DAY) }, false],
  ['many are due, and some were just delivered', { due_at: ago(HOUR), delivered_at: ago(MINUTE) }, false],
  ['one has been due for five minutes', { due_at: ago(5 * MINUTE), delivered_at: ago(DAY) }, false],
  [
    'one has been due for an hour, and none was delivered since',
    { due_at: ago(HOUR), delivered_at: ago(HOUR) },
    true,
  ],
  ['no email waits', { due_at: null, delivered_at: ago(DAY) }, false],
])('delivery is stuck when %s: %s', (_, facts, expected) => {
  expect(isDeliveryStuck(facts, now)).toBe(expected);
});

const from = (ms: number, life: number) => ({
  starts_at: ago(life - ms),
  ends_at: new Date(now.getTime() + ms),
});
test.each([
  ['not seen', null, 'unknown'],
  ['renewed', from(60 * DAY, 90 * DAY), 'well'],
  ['15 days of 90', from(15 * DAY, 90 * DAY), 'well'],
  ['14 days of 90', from(14 * DAY, 90 * DAY), 'attention'],
  ['3 days of 6', from(3 * DAY, 6 * DAY), 'well'],
  ['a day of 6', from(DAY, 6 * DAY), 'attention'],
  ['ended', from(0, 90 * DAY), 'failing'],
])('a certificate, %s: %s', (_, certificate, expected) => {
  expect(certificateHealth(certificate, now)).toBe(expected);
});

describe('alerts for the owners', () => {
  const well: Parameters<typeof alertsOf>[0] = {
    backup: { ...BACKUP, last_at: ago(HOUR) },
    free_bytes: 50 * GB,
    email: { sends: true, own_address: true, oldest_at: null, sent_at: null },
    payments: PAYMENTS,
    certificate: from(60 * DAY, 90 * DAY),
    disputed_at: null,
  };
  const failed = (change: object) => ({ backup: { ...well.backup, ...change } });
  const stripe = (change: Partial<PaymentFacts>) => ({ payments: { ...well.payments, ...change } });
  it.each<[string, Partial<typeof well>, Alert[]]>([
    ['nothing is wrong', {}, []],
    ['a backup failed', failed({ failed_at: ago(HOUR) }), [{ cause: 'backup', since: ago(HOUR) }]],
    ['its copy failed', failed({ copy_failed_at: ago(HOUR) }), [{ cause: 'backup', since: ago(HOUR) }]],
    ['a backup is a day late', failed({ last_at: ago(47 * HOUR) }), []],
    [
      'the last backup is two days old',
      failed({ last_at: ago(2 * DAY) }),
      [{ cause: 'backup', since: ago(2 * DAY) }],
    ],
    ['there never was one', failed({ last_at: null }), [{ cause: 'backup', since: null }]],
    ['the first has yet to be made', failed({ last_at: null, started_at: now }), []],
    ['the owner turned backups off', failed({ plan: 'off', last_at: null }), []],
    ['the demo makes none', failed({ plan: 'demo', last_at: null }), []],
    ['nobody says where they are made', failed({ watched: false, plan: 'off', last_at: null }), []],
    ['the disk is nearly full', { free_bytes: GB - 1 }, [{ cause: 'disk', since: null }]],
    ['the disk cannot be read', { free_bytes: null }, []],
    [
      'emails are stuck',
      { email: { ...well.email, oldest_at: ago(HOUR) } },
      [{ cause: 'outbox', since: ago(HOUR) }],
    ],
    [
      'there is no mail server',
      { email: { sends: false, own_address: true, oldest_at: ago(DAY), sent_at: null } },
      [],
    ],
    ['Stripe did not answer once', stripe({ unanswered_since: now }), []],
    [
      'Stripe does not answer',
      stripe({ unanswered_since: ago(15 * MINUTE) }),
      [{ cause: 'stripe', since: ago(15 * MINUTE) }],
    ],
    [
      'webhooks are silent',
      stripe({ has_subscriptions: true, last_event_at: ago(35 * DAY) }),
      [{ cause: 'webhooks', since: ago(35 * DAY) }],
    ],
    ['the certificate ends', { certificate: from(DAY, 90 * DAY) }, [{ cause: 'certificate', since: null }]],
    ['a payment is disputed', { disputed_at: ago(DAY) }, [{ cause: 'dispute', since: ago(DAY) }]],
  ])('%s', (_, facts, expected) => {
    expect(alertsOf({ ...well, ...facts }, now)).toEqual(expected);
  });

  test('a disputed payment does not stop the heartbeat, everything else does', () => {
    expect(isSystemWell([])).toBe(true);
    expect(isSystemWell([{ cause: 'dispute' }])).toBe(true);
    expect(isSystemWell([{ cause: 'dispute' }, { cause: 'disk' }])).toBe(false);
  });

  const disk: Alert = { cause: 'disk', since: null };
  const known = (began: number, seen: number, sent: number | null): KnownAlert => ({
    began_at: ago(began),
    seen_at: ago(seen),
    sent_at: sent === null ? null : ago(sent),
  });
  it.each<[string, KnownAlert | null, Alert, boolean]>([
    ['at once', null, disk, true],
    ['not again after five minutes', known(5 * MINUTE, 5 * MINUTE, 5 * MINUTE), disk, false],
    ['not again after an hour', known(HOUR, 5 * MINUTE, HOUR), disk, false],
    ['again after a day', known(DAY, 5 * MINUTE, DAY), disk, true],
    [
      'not about one that came back within the hour',
      known(50 * MINUTE, 30 * MINUTE, 50 * MINUTE),
      disk,
      false,
    ],
    ['about that once the hour is over', known(10 * MINUTE, 5 * MINUTE, HOUR), disk, true],
    ['about one that came back later', known(3 * HOUR, 2 * HOUR, 3 * HOUR), disk, true],
    ['in spite of a clock that was ahead', known(-DAY, -DAY, -DAY), disk, true],
    [
      'about a disputed payment once',
      known(2 * DAY, 5 * MINUTE, 2 * DAY),
      { cause: 'dispute', since: ago(2 * DAY + 1) },
      false,
    ],
    [
      'about the next one',
      known(2 * DAY, 5 * MINUTE, 2 * DAY),
      { cause: 'dispute', since: ago(MINUTE) },
      true,
    ],
    [
      'about the next one within the hour later',
      known(9 * MINUTE, 9 * MINUTE, 9 * MINUTE),
      { cause: 'dispute', since: ago(MINUTE) },
      false,
    ],
  ])('are emailed %s', (_, row, alert, expected) => {
    const next = nextAlert(row, alert, now);
    expect(next.send).toBe(expected);
    expect(next).toMatchObject({ seen_at: now, sent_at: expected ? now : (row?.sent_at ?? null) });
  });
});
