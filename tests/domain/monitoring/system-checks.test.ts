import { describe, expect, it, test } from 'vitest';
import { isInTrouble, worstFirst } from '../../../src/domain/monitoring/check.ts';
import { isDeliveryStuck, isOwnAddress } from '../../../src/domain/monitoring/email-check.ts';
import {
  isSystemWell,
  type SystemFacts,
  systemChecks,
} from '../../../src/domain/monitoring/system-checks.ts';
import {
  ago,
  type Change,
  DAY,
  factsWith,
  GB,
  HOUR,
  MINUTE,
  now,
  rowIn,
  WELL,
} from '../../support/fixtures/system-facts.ts';

const rowOf = <Part extends keyof SystemFacts>(name: string, part: Part, change: Change<Part>) =>
  rowIn(factsWith(part, change), name);
const alertsOf = (facts: SystemFacts) => systemChecks(facts, now).flatMap(({ alert }) => alert ?? []);
const NO_EVENTS = { has_subscriptions: false, last_event_at: null };

test('a healthy system has no next step and no alert', () => {
  const checks = systemChecks(WELL, now);
  expect(checks.filter(({ health }) => health !== null && health !== 'well')).toEqual([]);
  expect(checks.filter(({ next, alert }) => next ?? alert)).toEqual([]);
});

test('parts that a club lacks have no row', () => {
  const alone = factsWith('payments', { mode: 'off' });
  const names = systemChecks({ ...alone, certificate: null, heartbeat: null }, now).map(({ name }) => name);
  expect(names).toEqual([
    ...['Database', 'Payments', 'Email', 'Backup', 'Disk', 'Clock', 'Unfinished', 'Version'],
  ]);
});

test('failing rows come first, information last', () => {
  const healths = ['well', null, 'unknown', 'attention', 'failing'] as const;
  const rows = worstFirst(healths.map((health) => ({ health })));
  expect(rows.map(({ health }) => health)).toEqual(['failing', 'attention', 'unknown', 'well', null]);
});

test('every row in trouble has a next step of its own', () => {
  const rows = [
    rowOf('Database', 'database', { own_version: false }),
    rowOf('Database', 'database', { answered_ms: 1500 }),
    rowOf('Database', 'database', { kind: 'embedded', members: 5_001 }),
    rowOf('Payments', 'payments', { oldest_open_event_at: ago(HOUR) }),
    rowOf('Payments', 'payments', { last_sweep_at: null }),
    rowOf('Payments', 'payments', { unanswered_since: now }),
    rowOf('Webhooks', 'payments', { last_event_at: null }),
    rowIn({ ...WELL, disputed_at: ago(HOUR) }, 'Disputes'),
    rowOf('Email', 'email', { sends: false }),
    rowOf('Email', 'email', { waiting: 3, retrying: 2, oldest_at: ago(HOUR / 2) }),
    rowOf('Email', 'email', { own_address: false }),
    rowOf('Backup', 'backup', { last_at: null }),
    rowOf('Backup', 'backup', { last_at: ago(5 * DAY), failed_at: ago(7 * HOUR) }),
    rowOf('Backup', 'backup', { made_here: false, last_at: null }),
    rowOf('Backup', 'backup', { copy_failed_at: ago(7 * HOUR) }),
    rowOf('Certificate', 'certificate', { ends_at: ago(-5 * DAY) }),
    rowOf('Heartbeat', 'heartbeat', { failed_at: now }),
    rowOf('Disk', 'disk', { free_bytes: GB / 10 }),
    rowOf('Clock', 'clock', { database_skew_ms: 6000 }),
    rowOf('Unfinished', 'leftovers', { events: 1, notices: 2 }),
  ];
  expect(rows.filter((row) => !isInTrouble(row) || !row.next)).toEqual([]);
  expect(new Set(rows.map(({ next }) => next)).size).toBe(rows.length);
});

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
  expect(rowOf('Database', 'database', { kind: 'embedded', ...facts }).health).toBe(expected);
});

test('the database says how many members it holds, and for how many it is meant', () => {
  const embedded = { kind: 'embedded' as const, members: 1 };
  expect(rowOf('Database', 'database', embedded).facts).toContain(
    'Holds 1 member, former ones included, of up to 5,000',
  );
  expect(rowOf('Database', 'database', { ...embedded, members: 5_214 }).next).toMatch(
    /up to 5,000 members.*move-to-postgres/,
  );
  expect(rowIn(WELL, 'Database').facts).toContain('Holds 612 members, former ones included');
});

describe('payments', () => {
  it.each<[string, Change<'payments'>, string]>([
    ['the server has just started', { last_sweep_at: null, started_at: ago(MINUTE) }, 'well'],
    ['no sweep has succeeded since the start', { last_sweep_at: null, started_at: ago(HOUR) }, 'failing'],
    ['the last sweep is five minutes old', { last_sweep_at: ago(5 * MINUTE) }, 'attention'],
    ['Stripe did not answer the last request', { unanswered_since: now }, 'attention'],
    ['Stripe has answered nothing for 15 minutes', { unanswered_since: ago(15 * MINUTE) }, 'failing'],
    ['an event waits for a quarter of an hour', { oldest_open_event_at: ago(15 * MINUTE) }, 'attention'],
    ['an event waits for a day', { oldest_open_event_at: ago(DAY) }, 'failing'],
  ])('%s', (_, facts, expected) => {
    expect(rowOf('Payments', 'payments', facts).health).toBe(expected);
  });

  it.each<[string, Change<'payments'>, string]>([
    ['nobody pays by card yet', NO_EVENTS, 'well'],
    ['Stripe never called, though members pay by card', { last_event_at: null }, 'attention'],
    ['Stripe has not called for 34 days', { last_event_at: ago(34 * DAY) }, 'well'],
    ['Stripe has not called for 35 days', { last_event_at: ago(35 * DAY) }, 'attention'],
  ])('%s: webhooks', (_, facts, expected) => {
    expect(rowOf('Webhooks', 'payments', facts).health).toBe(expected);
  });

  it('name the worst of several problems, and what happened', () => {
    const both = { last_sweep_at: ago(5 * MINUTE), unanswered_since: ago(20 * MINUTE) };
    expect(rowOf('Payments', 'payments', both)).toMatchObject({
      health: 'failing',
      text: 'Payments are live. Stripe stopped answering 20 minutes ago: members cannot join or pay, and renewals are seen late.',
      next: expect.stringMatching(/^Check the network, the key/),
    });
  });

  it('that are off are no problem, and say how to turn them on', () => {
    expect(rowOf('Payments', 'payments', { mode: 'off', answered_at: null })).toMatchObject({
      text: 'Payments are off: members pay at the venue. To turn them on, see Settings, Stripe.',
      next: null,
      facts: [],
    });
  });

  it('that are off still need the sweeper', () => {
    expect(rowOf('Payments', 'payments', { mode: 'off', last_sweep_at: ago(HOUR) }).text).toContain(
      'The server is not ending memberships that are due, as it should.',
    );
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
    expect(rowOf('Email', 'email', { sends, oldest_at, sent_at }).health).toBe(expected);
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
});

test('emails from a placeholder ask for the club’s own address', () => {
  const placeholder = { from: 'hello@cellardoor.example', own_address: false };
  expect(rowOf('Email', 'email', placeholder)).toMatchObject({
    health: 'attention',
    text: 'Emails come from hello@cellardoor.example, a placeholder.',
    next: expect.stringMatching(/^Enter the club’s own support email/),
  });
});

test.each([
  [null, null, 'attention'],
  [ago(25 * HOUR), null, 'well'],
  [ago(25 * HOUR), ago(HOUR), 'attention'],
  [ago(26 * HOUR), null, 'attention'],
  [ago(47 * HOUR), ago(HOUR), 'attention'],
  [ago(2 * DAY), null, 'failing'],
])('a last backup of %s, and a failed attempt at %s: %s', (last_at, failed_at, expected) => {
  expect(rowOf('Backup', 'backup', { last_at, failed_at }).health).toBe(expected);
});

test('a copy that failed needs attention, though the backup was made', () => {
  expect(rowOf('Backup', 'backup', { last_at: now, copy_failed_at: now }).health).toBe('attention');
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
    expect(rowOf('Backup', 'backup', { plan, last_at: null, started_at, failed_at }).health).toBe(expected);
  },
);

test('before the first backup the row says when it comes, and in the demo that none does', () => {
  expect(rowOf('Backup', 'backup', { last_at: null, started_at: now })).toMatchObject({
    text: 'The first backup comes within minutes of the first start.',
    next: null,
  });
  expect(rowOf('Backup', 'backup', { plan: 'demo', last_at: null })).toMatchObject({
    text: expect.stringMatching(/^The demo makes no backups/),
    next: null,
  });
  expect(rowOf('Backup', 'backup', { made_here: false, last_at: null }).text).toBe(
    'No complete backup is in its folder yet.',
  );
});

test('backups that are made outside ask for their folder, and are then judged as those made here', () => {
  const outside = { made_here: false, copied: false };
  expect(rowOf('Backup', 'backup', { ...outside, watched: false, last_at: null })).toMatchObject({
    health: 'unknown',
    text: 'Backups are made outside, where the server cannot see them.',
    next: expect.stringMatching(/^Name their folder in BACKUP_DIR to be warned/),
  });
  expect(rowOf('Backup', 'backup', outside)).toMatchObject({
    text: 'The last backup was made 9 hours ago.',
    next: null,
    facts: ['Made outside'],
  });
  expect(rowOf('Backup', 'backup', { ...outside, last_at: ago(2 * DAY) })).toMatchObject({
    health: 'failing',
    text: 'The last backup was made 2 days ago.',
    next: expect.stringMatching(/^Check what makes the dumps/),
  });
});

test.each([
  [2 * GB, 'well', '2.0 GB'],
  [GB - 1, 'attention', '1023 MB'],
  [GB / 4 - 1, 'failing', '255 MB'],
  [53 * GB, 'well', '53 GB'],
])('%s free bytes are %s, and written %s', (free_bytes, health, text) => {
  expect(rowOf('Disk', 'disk', { free_bytes })).toMatchObject({
    health,
    text: `${text} of 252 GB are free.`,
  });
});

test('a disk that cannot be read is unknown', () => {
  expect(rowIn({ ...WELL, disk: null }, 'Disk').health).toBe('unknown');
});

test.each([
  [null, null, 'unknown', 'The server has no other clock to compare with.'],
  [null, 300, 'well', 'The server’s clock agrees with Stripe’s.'],
  [4999, -4999, 'well', 'The server’s clock agrees with those of the database and Stripe.'],
  [0, -5000, 'attention', 'The server’s clock differs by 5 seconds from Stripe’s.'],
  [
    60_000,
    7_200_000,
    'failing',
    'The server’s clock differs by 60 seconds from the database’s and 2 hours from Stripe’s.',
  ],
])(
  'clocks of database and Stripe %s and %s ms ahead: %s',
  (database_skew_ms, stripe_skew_ms, health, text) => {
    expect(rowOf('Clock', 'clock', { database_skew_ms, stripe_skew_ms })).toMatchObject({ health, text });
  },
);

test('anything left to do needs attention, and is named', () => {
  expect(rowOf('Unfinished', 'leftovers', { events: 1, notices: 2 })).toMatchObject({
    health: 'attention',
    text: 'Not done yet: 1 message from Stripe, 2 notices for staff.',
  });
});

test('a newer release is named, with where the update is described', () => {
  expect(rowOf('Version', 'version', { newer: '1.1.0' })).toMatchObject({
    health: null,
    text: 'Cellar Door 0.3.0 on Node 24.21.0. Version 1.1.0 is there.',
    next: expect.stringContaining('upgrade.md'),
  });
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

const endsIn = (ms: number, life: number) => ({ starts_at: ago(life - ms), ends_at: ago(-ms) });
test.each([
  ['not seen', 'unseen' as const, 'unknown'],
  ['renewed', endsIn(60 * DAY, 90 * DAY), 'well'],
  ['15 days of 90', endsIn(15 * DAY, 90 * DAY), 'well'],
  ['14 days of 90', endsIn(14 * DAY, 90 * DAY), 'attention'],
  ['3 days of 6', endsIn(3 * DAY, 6 * DAY), 'well'],
  ['a day of 6', endsIn(DAY, 6 * DAY), 'attention'],
  ['ended', endsIn(0, 90 * DAY), 'failing'],
])('a certificate, %s: %s', (_, certificate, expected) => {
  expect(rowIn({ ...WELL, certificate }, 'Certificate').health).toBe(expected);
});

test('a certificate expires on a day of the club’s time zone', () => {
  const certificate = { starts_at: ago(DAY), ends_at: new Date('2026-12-01T05:00:00Z') };
  const textIn = (time_zone: string) => rowIn({ ...WELL, certificate, time_zone }, 'Certificate').text;
  expect(textIn('America/Los_Angeles')).toBe('The certificate expires on 11/30/2026.');
  expect(textIn('Europe/Berlin')).toBe('The certificate expires on 12/1/2026.');
});

describe('alerts for the owners', () => {
  const failed = (change: Change<'backup'>) => factsWith('backup', change);
  const stripe = (change: Change<'payments'>) => factsWith('payments', change);
  it.each<[string, SystemFacts, [cause: string, since: Date | null][]]>([
    ['nothing is wrong', WELL, []],
    ['a backup failed', failed({ failed_at: ago(HOUR) }), [['backup', ago(HOUR)]]],
    ['its copy failed', failed({ copy_failed_at: ago(HOUR) }), [['backup', ago(HOUR)]]],
    ['a backup is a day late', failed({ last_at: ago(47 * HOUR) }), []],
    ['the last backup is two days old', failed({ last_at: ago(2 * DAY) }), [['backup', ago(2 * DAY)]]],
    ['there never was one', failed({ last_at: null }), [['backup', null]]],
    ['the first has yet to be made', failed({ last_at: null, started_at: now }), []],
    ['the owner turned backups off', failed({ plan: 'off', last_at: null }), []],
    ['the demo makes none', failed({ plan: 'demo', last_at: null }), []],
    ['nobody says where they are made', failed({ watched: false, plan: 'off', last_at: null }), []],
    ['the disk is nearly full', factsWith('disk', { free_bytes: GB - 1 }), [['disk', null]]],
    ['the disk cannot be read', { ...WELL, disk: null }, []],
    [
      'emails are stuck',
      factsWith('email', { oldest_at: ago(HOUR), sent_at: null }),
      [['outbox', ago(HOUR)]],
    ],
    ['there is no mail server', factsWith('email', { sends: false, oldest_at: ago(DAY), sent_at: null }), []],
    ['Stripe did not answer once', stripe({ unanswered_since: now }), []],
    [
      'Stripe does not answer',
      stripe({ unanswered_since: ago(15 * MINUTE) }),
      [['stripe', ago(15 * MINUTE)]],
    ],
    ['webhooks are silent', stripe({ last_event_at: ago(35 * DAY) }), [['webhooks', ago(35 * DAY)]]],
    ['the certificate ends', { ...WELL, certificate: endsIn(DAY, 90 * DAY) }, [['certificate', null]]],
    ['a payment is disputed', { ...WELL, disputed_at: ago(DAY) }, [['dispute', ago(DAY)]]],
  ])('%s', (_, facts, expected) => {
    expect(alertsOf(facts).map(({ cause, since }) => [cause, since])).toEqual(expected);
  });

  test('a disputed payment does not stop the heartbeat, everything else does', () => {
    const isWell = (facts: SystemFacts) => isSystemWell(systemChecks(facts, now));
    expect(isWell(WELL)).toBe(true);
    expect(isWell({ ...WELL, disputed_at: now })).toBe(true);
    const full = { ...factsWith('disk', { free_bytes: 0 }), disputed_at: now };
    expect(isWell(full)).toBe(false);
    expect(rowIn(full, 'Heartbeat').text).toBe('The monitor is not called while something is wrong.');
  });
});
