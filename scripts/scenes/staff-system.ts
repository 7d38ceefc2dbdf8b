import type { Page } from '@playwright/test';
import type { SystemStatus } from '../../src/contract/system.ts';
import { answering, type Scene, scene } from './scene.ts';

const at = '2026-11-20T18:05:00.000Z';

const ALL_WELL: SystemStatus = {
  at,
  database: { health: 'well', kind: 'postgres', own_version: true, answered_ms: 3, members: 612 },
  payments: {
    health: 'well',
    mode: 'live',
    last_event_at: '2026-11-20T17:52:00.000Z',
    answered_at: '2026-11-20T18:04:10.000Z',
    unanswered_since: null,
    last_sweep_at: '2026-11-20T18:04:30.000Z',
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
    last_at: '2026-11-20T03:00:00.000Z',
    failed_at: null,
    copied: true,
    copy_failed_at: null,
  },
  disk: { health: 'well', free_bytes: 53e9, total_bytes: 252e9 },
  certificate: { health: 'well', ends_at: '2027-01-30T09:00:00.000Z' },
  alerts: [],
  heartbeat: { health: 'well', called_at: '2026-11-20T18:02:00.000Z', failed_at: null },
  clock: { health: 'well', database_skew_ms: 2, stripe_skew_ms: -300 },
  leftovers: { health: 'well', events: 0, emails: 0, refunds: 0, notices: 0 },
  version: { version: '1.0.0', newer: null, node: 'v24.21.0', started_at: '2026-11-12T09:00:00.000Z' },
};

const NOT_WELL: SystemStatus = {
  ...ALL_WELL,
  payments: { ...ALL_WELL.payments, health: 'failing', oldest_open_event_at: '2026-11-19T09:00:00.000Z' },
  email: {
    ...ALL_WELL.email,
    health: 'attention',
    waiting: 12,
    retrying: 9,
    oldest_at: '2026-11-20T17:20:00.000Z',
  },
  backup: { ...ALL_WELL.backup, health: 'attention', copy_failed_at: '2026-11-20T17:30:00.000Z' },
  certificate: { health: 'attention', ends_at: '2026-12-01T09:00:00.000Z' },
  alerts: [{ cause: 'backup', since: '2026-11-20T17:30:00.000Z' }],
  heartbeat: { health: 'attention', called_at: null, failed_at: '2026-11-20T17:32:00.000Z' },
  disk: { health: 'unknown', free_bytes: null, total_bytes: null },
  clock: { health: 'failing', database_skew_ms: 2, stripe_skew_ms: 95_000 },
  leftovers: { health: 'attention', events: 3, emails: 9, refunds: 0, notices: 1 },
};

const SMALL_BEGINNINGS: SystemStatus = {
  ...ALL_WELL,
  database: { health: 'attention', kind: 'embedded', own_version: true, answered_ms: 9, members: 5_214 },
  payments: { ...ALL_WELL.payments, mode: 'off', last_event_at: null, answered_at: null },
  clock: { health: 'well', database_skew_ms: 2, stripe_skew_ms: null },
};

const atSystem = (status: SystemStatus) => answering('**/api/system', status, '/staff/system');

async function atSilentSystem(page: Page, url: string): Promise<void> {
  await page.route('**/api/system', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'x-request-id': '7K3M-9QX2-D4FT' },
      json: { code: 'SERVICE_UNAVAILABLE', message: 'Not now.' },
    }),
  );
  await page.goto(`${url}/staff/system`);
}

export const systemScenes: Scene[] = [
  scene('staff-system', 'staff', '/staff/system', 'As of'),
  scene('staff-system-well', 'staff', atSystem(ALL_WELL), 'Everything is working'),
  scene('staff-system-not-well', 'staff', atSystem(NOT_WELL), 'things need your attention'),
  scene('staff-system-outgrown', 'staff', atSystem(SMALL_BEGINNINGS), 'has outgrown'),
  scene('staff-system-silent', 'staff', atSilentSystem, 'The database is not responding'),
];
