import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SystemStatus } from '../../../src/contract/system.ts';
import { ageText, bytesText, durationText } from '../../../src/web/format/age.ts';
import { checksOf } from '../../../src/web/staff/system/check-text.ts';
import { bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const at = '2026-06-15T12:00:00.000Z';
const WELL: SystemStatus = {
  at,
  database: { health: 'well', kind: 'postgres', own_version: true, answered_ms: 3, members: 612 },
  payments: {
    health: 'well',
    mode: 'live',
    last_event_at: '2026-06-15T11:48:00.000Z',
    answered_at: '2026-06-15T11:59:00.000Z',
    unanswered_since: null,
    last_sweep_at: '2026-06-15T11:59:30.000Z',
    oldest_open_event_at: null,
  },
  email: {
    ...{ health: 'well', sends: true, from: 'hello@copper-vine.com', own_address: true },
    ...{ waiting: 0, retrying: 0, oldest_at: null },
  },
  backup: {
    health: 'well',
    made_here: true,
    watched: true,
    plan: 'daily',
    last_at: '2026-06-15T03:00:00.000Z',
    failed_at: null,
    copied: true,
    copy_failed_at: null,
  },
  certificate: { health: 'well', ends_at: '2026-08-20T12:00:00.000Z' },
  alerts: [],
  heartbeat: { health: 'well', called_at: '2026-06-15T11:57:00.000Z', failed_at: null },
  disk: { health: 'well', free_bytes: 53 * 1024 ** 3, total_bytes: 252 * 1024 ** 3 },
  clock: { health: 'well', database_skew_ms: 2, stripe_skew_ms: -300 },
  leftovers: { health: 'well', events: 0, emails: 0, refunds: 0, notices: 0 },
  version: { version: '0.3.0', newer: null, node: 'v24.21.0', started_at: '2026-06-13T12:00:00.000Z' },
};

/** The row of that name, for a status with one part replaced. */
function rowOf<Part extends keyof SystemStatus>(
  name: string,
  part: Part,
  change: Partial<SystemStatus[Part]>,
) {
  const changed = { ...WELL, [part]: { ...(WELL[part] as object), ...(change as object) } } as SystemStatus;
  return checksOf(changed).find((it) => it.name === name);
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('a healthy system says so, with the age of each figure', async () => {
  stubStaffServer({ 'GET /api/system': () => WELL });
  openStaffApp('/staff/system');
  await screen.findByText('Everything is working');
  screen.getByText('Postgres answers in 3 ms.');
  screen.getByText('Last message from Stripe: 12 minutes ago');
  screen.getByText('Last answer from Stripe: 1 minute ago');
  screen.getByText('The last backup was made 9 hours ago.');
  screen.getByText('53 GB of 252 GB are free.');
  screen.getByText('Cellar Door 0.3.0 on Node 24.21.0.');
  screen.getByText('Copied into the second folder');
  screen.getByText('It ends on 8/20/2026.');
  screen.getByText('Last called: 3 minutes ago');
  screen.getByText('Started 2 days ago');
});

test('problems come first, with what to do next, and are announced', async () => {
  stubStaffServer({
    'GET /api/system': () => ({
      ...WELL,
      backup: { ...WELL.backup, health: 'attention', last_at: null },
      clock: { health: 'failing', database_skew_ms: 1, stripe_skew_ms: 90_000 },
    }),
  });
  openStaffApp('/staff/system');
  await screen.findByText('2 things need your attention');
  screen.getByText('Clock, Backup');
  const headings = screen.getAllByRole('heading', { level: 2 }).map((it) => it.textContent);
  expect(headings.slice(0, 3)).toEqual(['Clock', 'Backup', 'Database']);
  screen.getByText('There is no backup yet.');
  screen.getByText('The server’s clock differs by 90 seconds from Stripe’s.');
  screen.getByText(/Turn on time synchronization/);
});

test('before the first backup the page says when it comes, and in the demo that none does', () => {
  const first = rowOf('Backup', 'backup', { last_at: null });
  expect(first).toMatchObject({
    text: 'The first backup comes within minutes of the first start.',
    next: null,
  });
  const demo = rowOf('Backup', 'backup', { plan: 'demo', last_at: null });
  expect(demo).toMatchObject({ text: expect.stringMatching(/^The demo makes no backups/), next: null });
  const outside = rowOf('Backup', 'backup', { made_here: false, last_at: null });
  expect(outside?.text).toBe('No complete backup is in its folder yet.');
});

test('backups that are made outside ask for their folder, and are then judged as those made here', () => {
  const outside = { made_here: false, copied: false };
  expect(
    rowOf('Backup', 'backup', { ...outside, watched: false, last_at: null, health: 'unknown' }),
  ).toMatchObject({
    text: 'Backups are made outside, where this page cannot see them.',
    next: expect.stringMatching(/^Name their folder in BACKUP_DIR to be warned/),
  });
  expect(rowOf('Backup', 'backup', outside)).toMatchObject({
    text: 'The last backup was made 9 hours ago.',
    next: null,
    facts: ['Made outside'],
  });
  const old = { ...outside, health: 'failing' as const, last_at: '2026-06-13T12:00:00.000Z' };
  expect(rowOf('Backup', 'backup', old)).toMatchObject({
    text: 'The last backup was made 2 days ago.',
    next: expect.stringMatching(/^Check what makes the dumps/),
  });
});

test('the database says how many members it holds, and for how many it is meant', () => {
  const embedded = { kind: 'embedded' as const, members: 1 };
  expect(rowOf('Database', 'database', embedded)?.facts).toContain(
    'Holds 1 member, former ones included, of up to 5,000',
  );
  const outgrown = { ...embedded, health: 'attention' as const, members: 5_214 };
  expect(rowOf('Database', 'database', outgrown)?.next).toMatch(/up to 5,000 members.*move-to-postgres/);
  expect(rowOf('Database', 'database', {})?.facts).toContain('Holds 612 members, former ones included');
});

test('payments that are off are no problem, and say how to turn them on', () => {
  const off = { mode: 'off' as const, last_event_at: null, answered_at: null };
  expect(rowOf('Payments', 'payments', off)).toMatchObject({
    text: 'Payments are off: members pay at the venue. To turn them on, see Settings, Stripe.',
    next: null,
    facts: [],
  });
});

test('a newer release is named, with where the update is described', () => {
  expect(rowOf('Version', 'version', { newer: '1.1.0' })).toMatchObject({
    text: 'Cellar Door 0.3.0 on Node 24.21.0. Version 1.1.0 is there.',
    next: expect.stringContaining('upgrade.md'),
  });
});

test('every problem says what to do next', () => {
  const rows = [
    rowOf('Database', 'database', { health: 'failing', own_version: false }),
    rowOf('Database', 'database', { health: 'attention', answered_ms: 1500 }),
    rowOf('Database', 'database', { health: 'attention', kind: 'embedded', members: 5_001 }),
    rowOf('Payments', 'payments', { health: 'failing', mode: 'off', last_sweep_at: null }),
    rowOf('Payments', 'payments', { health: 'attention', oldest_open_event_at: '2026-06-15T11:00:00.000Z' }),
    rowOf('Payments', 'payments', { health: 'failing', last_sweep_at: null }),
    rowOf('Payments', 'payments', { health: 'attention', last_event_at: null }),
    rowOf('Payments', 'payments', { health: 'attention', unanswered_since: at }),
    rowOf('Email', 'email', { health: 'attention', sends: false }),
    rowOf('Email', 'email', {
      health: 'attention',
      waiting: 3,
      retrying: 2,
      oldest_at: '2026-06-15T11:30:00.000Z',
    }),
    rowOf('Backup', 'backup', { health: 'attention', last_at: null }),
    rowOf('Backup', 'backup', {
      health: 'failing',
      last_at: '2026-06-10T12:00:00.000Z',
      failed_at: '2026-06-15T05:00:00.000Z',
    }),
    rowOf('Backup', 'backup', { health: 'unknown', made_here: false, watched: false, last_at: null }),
    rowOf('Backup', 'backup', { health: 'attention', made_here: false, last_at: null }),
    rowOf('Backup', 'backup', { health: 'attention', copy_failed_at: '2026-06-15T05:00:00.000Z' }),
    rowOf('Certificate', 'certificate', { health: 'attention', ends_at: '2026-06-20T12:00:00.000Z' }),
    rowOf('Heartbeat', 'heartbeat', { health: 'attention', failed_at: at }),
    rowOf('Disk', 'disk', { health: 'failing', free_bytes: 100 * 1024 ** 2 }),
    rowOf('Clock', 'clock', { health: 'attention', database_skew_ms: 6000 }),
    rowOf('Unfinished', 'leftovers', { health: 'attention', events: 1, notices: 2 }),
  ];
  expect(rows.map((it) => it?.next ?? 'nothing')).not.toContain('nothing');
  expect(new Set(rows.map((it) => it?.next)).size).toBe(rows.length);
  expect(rows.at(-1)?.text).toBe('Not done yet: 1 message from Stripe, 2 notices for staff.');
  expect(checksOf(WELL).every(({ next }) => next === null)).toBe(true);
});

test('when the database does not answer, the page says so, with the request’s reference and a way to try again', async () => {
  const away = () => {
    const response = refusal(503, 'SERVICE_UNAVAILABLE', 'Not now.');
    response.headers.set('x-request-id', '7K3M-9QX2-D4FT');
    return response;
  };
  const server = stubStaffServer({ 'GET /api/system': away });
  openStaffApp('/staff/system');
  await screen.findByText('The database is not responding');
  screen.getByText('7K3M-9QX2-D4FT');
  server.answers['GET /api/system'] = () => WELL;
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByText('Everything is working');
  expect(screen.queryByText('7K3M-9QX2-D4FT')).toBeNull();
});

test('staff with a permission find it under More', async () => {
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    'GET /api/system': () => WELL,
  });
  openStaffApp('/staff/more');
  const link = await screen.findByRole('link', { name: /^System/ });
  expect(link.getAttribute('href')).toBe('/staff/system');
});

test.each([
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [3_599_999, '59 minutes'],
  [3_600_000, '1 hour'],
  [172_800_000, '2 days'],
])('%s ms are %s', (ms, expected) => {
  expect(durationText(ms)).toBe(expected);
});

test('ages are rounded down, and sizes have one decimal up to ten gigabytes', () => {
  expect(ageText('2026-06-15T11:59:01.000Z', at)).toBe('just now');
  expect(ageText('2026-06-15T10:01:00.000Z', at)).toBe('1 hour ago');
  expect(bytesText(1.5 * 1024 ** 3)).toBe('1.5 GB');
  expect(bytesText(300 * 1024 ** 2)).toBe('300 MB');
});

test('a server three hours off this device’s clock is named, though nothing else can be compared', () => {
  const alone = { ...WELL, clock: { ...WELL.clock, stripe_skew_ms: null } };
  const clock = (device_skew_ms: number) => checksOf(alone, device_skew_ms).find((it) => it.name === 'Clock');
  expect(clock(10_000_000)).toMatchObject({
    health: 'attention',
    text: expect.stringMatching(/^The server’s clock differs by .* from this device’s\.$/),
    next: expect.stringMatching(/^One of the two is wrong/),
  });
  expect(clock(-59_000)).toMatchObject({ health: 'well', next: null });
});

test('emails from a placeholder ask for the club’s own address', () => {
  const placeholder = { health: 'attention', from: 'hello@cellardoor.example', own_address: false } as const;
  expect(rowOf('Email', 'email', placeholder)?.next).toMatch(
    /^Emails come from hello@cellardoor\.example, a placeholder: enter the club’s own support email/,
  );
});
