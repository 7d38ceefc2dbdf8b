import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SystemStatus } from '../../../src/contract/system.ts';
import { type SystemFacts, systemChecks } from '../../../src/domain/monitoring/system-checks.ts';
import { compareDevice } from '../../../src/web/staff/system/device-clock.ts';
import { DAY, factsWith, now, WELL } from '../../support/fixtures/system-facts.ts';
import { bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const statusOf = (facts: SystemFacts): SystemStatus => ({
  at: now.toISOString(),
  checks: systemChecks(facts, now).map(({ alert: _, ...row }) => row),
});

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('a healthy system says so, with the age of each figure', async () => {
  stubStaffServer({ 'GET /api/system': () => statusOf(WELL) });
  openStaffApp('/staff/system');
  await screen.findByText('Everything is working');
  screen.getByText('Postgres answers in 3 ms.');
  screen.getByText('Last message from Stripe: 12 minutes ago');
  screen.getByText('Last answer from Stripe: 1 minute ago');
  screen.getByText('The last backup was made 9 hours ago.');
  screen.getByText('53 GB of 252 GB are free.');
  screen.getByText('Cellar Door 0.3.0 on Node 24.21.0.');
  screen.getByText('Copied into the second folder');
  screen.getByText('The certificate expires on 8/20/2026.');
  screen.getByText('Last called: 3 minutes ago');
  screen.getByText('Started 2 days ago');
});

test('problems come first, with what to do next, and are announced', async () => {
  const facts = {
    ...factsWith('backup', { last_at: null }),
    clock: { database_skew_ms: 1, stripe_skew_ms: 90_000 },
  };
  stubStaffServer({ 'GET /api/system': () => statusOf({ ...facts, heartbeat: null }) });
  openStaffApp('/staff/system');
  await screen.findByText('2 things need your attention');
  screen.getByText('Clock, Backup');
  const headings = screen.getAllByRole('heading', { level: 2 }).map((it) => it.textContent);
  expect(headings.slice(0, 3)).toEqual(['Clock', 'Backup', 'Database']);
  screen.getByText('There is no backup yet.');
  screen.getByText('The server’s clock differs by 90 seconds from Stripe’s.');
  screen.getByText(/Turn on time synchronization/);
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
  server.answers['GET /api/system'] = () => statusOf(WELL);
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByText('Everything is working');
  expect(screen.queryByText('7K3M-9QX2-D4FT')).toBeNull();
});

test('staff with a permission find it under More', async () => {
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    'GET /api/system': () => statusOf(WELL),
  });
  openStaffApp('/staff/more');
  const link = await screen.findByRole('link', { name: /^System/ });
  expect(link.getAttribute('href')).toBe('/staff/system');
});

/** The row about the clock, on a device that the server's clock is ahead of. */
const clockOn = (device_skew_ms: number, facts: SystemFacts = WELL) =>
  compareDevice(statusOf(facts).checks, device_skew_ms).find(({ name }) => name === 'Clock');

test('a server three hours off this device’s clock is named, though nothing else can be compared', () => {
  const alone = factsWith('clock', { database_skew_ms: null, stripe_skew_ms: null });
  expect(clockOn(10_800_000, alone)).toMatchObject({
    health: 'attention',
    text: 'The server’s clock differs by 3 hours from this device’s.',
    next: expect.stringMatching(/^One of the two is wrong/),
  });
  expect(clockOn(-59_000, alone)).toMatchObject({
    health: 'well',
    next: null,
    facts: ['Agrees with this device’s'],
  });
});

test('a server’s clock that differs from Stripe’s is wrong whatever this device says', () => {
  const wrong = factsWith('clock', { stripe_skew_ms: DAY });
  expect(clockOn(-DAY, wrong)).toEqual(clockOn(0, wrong));
  expect(clockOn(0, wrong)?.text).toBe('The server’s clock differs by 1 day from Stripe’s.');
});
