import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { STAFF_PERMISSIONS } from '../../../src/domain/staff/staff-permission.ts';
import { site } from '../../../src/web/api/site.ts';
import { themeSetting } from '../../../src/web/ui/theme.ts';
import { application, customer, me, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';
import { bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/pages.md, "Navigation".

const bar = () => screen.queryByRole('navigation', { name: 'Main' });
const links = () => within(bar()!).queryAllByRole('link');
const labels = () => links().map((link) => link.textContent);
const current = () => links().filter((link) => link.getAttribute('aria-current') === 'page');
const title = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });

describe('the navigation of members', () => {
  const mine = 'GET /api/customers/own';
  const pending = { ...application, is_complete: true, selected_tier: 'elite', stripe_session_id: 'cs_1' };

  test.each([
    ['a member', { ...me, customer }, ['Home', 'Card', 'Wines', 'Account']],
    [
      'a former member',
      { ...me, customer: { ...customer, status: 'inactive' } },
      ['Home', 'Wines', 'Account'],
    ],
    [
      'someone with a pending application',
      { ...me, application: pending },
      ['Home', 'Card', 'Wines', 'Account'],
    ],
    ['someone who has never been a member', me, ['Home', 'Wines', 'Account']],
  ])('%s has the right links', async (_, own, expected) => {
    stubServer({ [mine]: own });
    openApp('/account');
    await waitFor(() => expect(labels()).toEqual(expected));
  });

  test('the bar is there before its links are known, and has all of them if the record cannot be loaded', async () => {
    const answer = Promise.withResolvers<Response>();
    stubServer({ [mine]: () => answer.promise });
    openApp('/pours');
    await title('Pour History');
    expect(labels()).toEqual([]);
    answer.resolve(Response.json({ code: 'NOT_FOUND', message: 'Gone' }, { status: 404 }));
    await waitFor(() => expect(labels()).toEqual(['Home', 'Card', 'Wines', 'Account']));
  });

  test.each([
    ['/dashboard', 'Home'],
    ['/qr-code', 'Card'],
    ['/wines', 'Wines'],
    ['/pours', 'Wines'],
    ['/account/taste', 'Wines'],
    ['/account', 'Account'],
    ['/account/data', 'Account'],
    ['/household', 'Account'],
    ['/gift', 'Account'],
    ['/redeem', 'Account'],
  ])('at %s, the one current link is %s', async (path, label) => {
    stubServer({ [mine]: { ...me, customer } });
    openApp(path);
    await waitFor(() => expect(current().map((link) => link.textContent)).toEqual([label]));
  });

  test.each([
    ['/apply', /Your Membership|Tell us|taste/i, me],
    ['/payment-success?session_id=cs_1', 'Payment Successful', { ...me, application: pending }],
  ])('%s has no navigation', async (path, heading, own) => {
    stubServer({ [mine]: own });
    openApp(path);
    await title(heading);
    expect(bar()).toBeNull();
  });

  test('the account’s side navigation marks the current page', async () => {
    stubServer({ [mine]: { ...me, customer } });
    openApp('/account/data');
    await title('Your Data');
    const rail = within(screen.getByRole('navigation', { name: 'Account' }));
    const named = rail.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
    expect(named.map((link) => link.textContent)).toEqual(['Your Data']);
  });

  test.each(['/account/photo', '/account/appearance'])(
    '%s, a former page, leads to the account',
    async (path) => {
      stubServer({ [mine]: { ...me, customer } });
      const app = openApp(path);
      await title('Account Settings');
      expect(app.path()).toBe('/account');
    },
  );

  test('a member’s pages have the colors of the system, whatever was chosen on the device before', async () => {
    themeSetting.write('dark');
    stubServer({ [mine]: { ...me, customer } });
    openApp('/account');
    await title('Account Settings');
    expect(themeSetting.read()).toBe('system');
  });

  test('the pages under Wines link to each other', async () => {
    stubServer({ [mine]: { ...me, customer } });
    openApp('/pours');
    await title('Pour History');
    const tabs = within(screen.getByRole('navigation', { name: 'Wines' })).getAllByRole('link');
    expect(
      tabs.map((tab) => [tab.textContent, tab.getAttribute('href'), tab.getAttribute('aria-current')]),
    ).toEqual([
      ['Tonight', '/wines', null],
      ['My Pours', '/pours', 'page'],
      ['My Taste', '/account/taste', null],
    ]);
  });

  test.each([true, false])(
    'the rows of /account lead to its pages, with two-step sign-in %s',
    async (two_factor) => {
      const server = stubServer({ [mine]: { ...me, customer } });
      const { user } = server.answers['GET /api/session'] as { user: object };
      server.answers['GET /api/session'] = { user: { ...user, two_factor } };
      openApp('/account');
      await screen.findByRole('link', { name: `Security Two-step sign-in is ${two_factor ? 'on' : 'off'}` });
      const rows = screen
        .getAllByRole('navigation', { name: 'Account' })
        .flatMap((it) => within(it).getAllByRole('link'));
      expect(new Set(rows.map((row) => row.getAttribute('href')))).toEqual(
        new Set([
          '/account',
          '/household',
          '/gift',
          '/account/security',
          '/account/notifications',
          '/account/data',
          '/help',
        ]),
      );
    },
  );
});

describe('the navigation of staff', () => {
  const dashboard = { 'GET /api/customers': () => ({ members: [], next_cursor: null }) };

  test('More shows how many applications are pending', async () => {
    stubStaffServer({ ...dashboard, 'GET /api/applications/count': () => ({ pending: 3 }) });
    openStaffApp('/staff/dashboard');
    await waitFor(() =>
      expect(labels()).toEqual(['Bar', 'Scan', 'Wines', '3More pages for staff, 3 waiting']),
    );
    fireEvent.click(links()[3]!);
    const row = await screen.findByRole('link', { name: 'Applications 3 waiting' });
    expect(row.getAttribute('href')).toBe('/staff/applications');
  });

  test('without a count the bar shows none', async () => {
    stubStaffServer({
      ...dashboard,
      'GET /api/applications/count': refusal(400, 'X', 'No'),
    });
    openStaffApp('/staff/dashboard');
    await title('Bar');
    expect(labels()).toEqual(['Bar', 'Scan', 'Wines', 'More pages for staff']);
  });

  test.each([
    ['/staff/dashboard', 'Bar'],
    ['/staff/customers/0197b1f0-0000-7000-8000-0000000000c1', 'Bar'],
    ['/staff/wines', 'Wines'],
    ['/staff/more', 'More pages for staff'],
    ['/staff/members', 'More pages for staff'],
    ['/staff/applications', 'More pages for staff'],
    ['/staff/account', 'More pages for staff'],
  ])('at %s, the one current link is %s', async (path, label) => {
    stubStaffServer(dashboard);
    openStaffApp(path);
    await waitFor(() => expect(current().map((link) => link.textContent)).toEqual([label]));
  });

  test('where the page pins its own button, only wide windows have the bar', async () => {
    stubStaffServer(dashboard);
    openStaffApp('/staff/customers/0197b1f0-0000-7000-8000-0000000000c1/add-pour');
    await screen.findByText('Customer information not available');
    expect(bar()?.dataset.navBar).toBe('wide');
    cleanup();
    openStaffApp('/staff/more');
    await title('More');
    expect(bar()?.dataset.navBar).toBe('everywhere');
  });

  test('staff who must set up two-step sign-in first have no other links', async () => {
    stubStaffServer({
      'GET /api/session': () => ({ user: { ...bruno, must_enrol: true } }),
    });
    const app = openStaffApp('/staff/more');
    await screen.findByText('Set up two-step sign-in first');
    expect(app.path()).toBe('/staff/account');
    expect(bar()).toBeNull();
    expect(screen.queryByRole('button', { name: 'Change Email' })).toBeNull();
  });

  test('the More page links to the reports for staff who may see them', async () => {
    stubStaffServer({
      ...dashboard,
      'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    });
    openStaffApp('/staff/more');
    const reports = await screen.findByRole('link', { name: /^Reports/ });
    expect(reports.getAttribute('href')).toBe('/staff/reports');
  });

  test('the More page links to the other pages open to the user, and has a Sign Out button', async () => {
    stubStaffServer(dashboard);
    openStaffApp('/staff/more');
    const hrefs = async (name: string) =>
      within(await screen.findByRole('navigation', { name }))
        .getAllByRole('link')
        .map((row) => row.getAttribute('href'));
    expect(await hrefs('More')).toEqual(['/staff/members', '/staff/account', '/help']);
    expect(await hrefs('Money')).toEqual(['/staff/tiers']);
    // Open to all staff, but of no use at the bar.
    expect(screen.queryByRole('link', { name: /^(API|System)/ })).toBeNull();
    screen.getByRole('button', { name: 'Sign Out' });
  });

  test('the settings stand below four heads, the last of which is closed', async () => {
    stubStaffServer({
      ...dashboard,
      'GET /api/session': () => ({ user: { ...bruno, permissions: [...STAFF_PERMISSIONS] } }),
    });
    openStaffApp('/staff/more');
    await screen.findByRole('heading', { name: 'Settings' });
    const namesBelow = (head: string) =>
      [...screen.getByRole('navigation', { name: head }).querySelectorAll('.font-semibold')].map(
        ({ textContent }) => textContent,
      );
    expect(namesBelow('Club')).toEqual(['Club', 'Look', 'Places', 'Emails', 'Public Pages']);
    expect(namesBelow('Money')).toEqual(['Tiers', 'Stripe']);
    expect(namesBelow('People')).toEqual(['Team', 'Import and Export', 'Audit']);
    const machine = screen.getByText('Machine').closest('details');
    expect(machine?.open).toBe(false);
    expect(machine?.querySelectorAll('a')).toHaveLength(3);
  });

  test.each([
    ['on', 0, null],
    ['on', 2, 'Applications 2 waiting'],
    ['off', 0, 'Applications Waiting, approved and rejected'],
  ] as const)('with card payments %s and %i waiting, applications: %s', async (payments, pending, name) => {
    Object.assign(site, { payments });
    stubStaffServer({ ...dashboard, 'GET /api/applications/count': () => ({ pending }) });
    openStaffApp('/staff/more');
    await screen.findByRole('link', { name: /^Members/ });
    if (name) await screen.findByRole('link', { name });
    else expect(screen.queryByRole('link', { name: /^Applications/ })).toBeNull();
  });
});
