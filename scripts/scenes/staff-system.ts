import type { Page } from '@playwright/test';
import { type SystemFacts, systemChecks } from '../../src/domain/monitoring/system-checks.ts';
import { answering, type Scene, scene } from './scene.ts';

const now = new Date('2026-11-20T18:05:00Z');

const ALL_WELL: SystemFacts = {
  database: { kind: 'postgres', own_version: true, answered_ms: 3, members: 612 },
  payments: {
    mode: 'live',
    started_at: new Date('2026-11-12T09:00:00Z'),
    last_sweep_at: new Date('2026-11-20T18:04:30Z'),
    answered_at: new Date('2026-11-20T18:04:10Z'),
    unanswered_since: null,
    last_event_at: new Date('2026-11-20T17:52:00Z'),
    has_subscriptions: true,
    oldest_open_event_at: null,
  },
  disputed_at: null,
  email: {
    ...{ sends: true, from: 'hello@copper-vine.com', own_address: true },
    ...{ waiting: 0, retrying: 0, oldest_at: null, sent_at: new Date('2026-11-20T17:00:00Z') },
  },
  backup: {
    made_here: true,
    watched: true,
    plan: 'daily',
    started_at: new Date('2026-11-12T09:00:00Z'),
    last_at: new Date('2026-11-20T03:00:00Z'),
    failed_at: null,
    copied: true,
    copy_failed_at: null,
  },
  disk: { free_bytes: 53e9, total_bytes: 252e9 },
  certificate: { starts_at: new Date('2026-11-01T09:00:00Z'), ends_at: new Date('2027-01-30T09:00:00Z') },
  time_zone: 'America/New_York',
  clock: { database_skew_ms: 2, stripe_skew_ms: -300 },
  leftovers: { events: 0, emails: 0, refunds: 0, notices: 0 },
  version: {
    version: '1.0.0',
    newer: null,
    node: 'v24.21.0',
    started_at: new Date('2026-11-12T09:00:00Z'),
  },
  heartbeat: { called_at: new Date('2026-11-20T18:02:00Z'), failed_at: null },
};

const NOT_WELL: SystemFacts = {
  ...ALL_WELL,
  payments: { ...ALL_WELL.payments, oldest_open_event_at: new Date('2026-11-19T09:00:00Z') },
  email: { ...ALL_WELL.email, waiting: 12, retrying: 9, oldest_at: new Date('2026-11-20T17:20:00Z') },
  backup: { ...ALL_WELL.backup, copy_failed_at: new Date('2026-11-20T17:30:00Z') },
  certificate: { starts_at: new Date('2026-09-02T09:00:00Z'), ends_at: new Date('2026-12-01T09:00:00Z') },
  heartbeat: { called_at: null, failed_at: new Date('2026-11-20T17:32:00Z') },
  disk: null,
  clock: { database_skew_ms: 2, stripe_skew_ms: 95_000 },
  leftovers: { events: 3, emails: 9, refunds: 0, notices: 1 },
};

const SMALL_BEGINNINGS: SystemFacts = {
  ...ALL_WELL,
  database: { kind: 'embedded', own_version: true, answered_ms: 9, members: 5_214 },
  payments: { ...ALL_WELL.payments, mode: 'off' },
  clock: { database_skew_ms: null, stripe_skew_ms: null },
};

const atSystem = (facts: SystemFacts) =>
  answering('**/api/system', { at: now, checks: systemChecks(facts, now) }, '/staff/system');

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
