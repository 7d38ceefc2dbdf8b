import handbook from 'virtual:handbook';
import { createRouter } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { STAFF_PERMISSIONS } from '../../../src/domain/staff/staff-permission.ts';
import type { SessionUser } from '../../../src/web/api/session.ts';
import { PAGES } from '../../../src/web/app/pages.ts';
import { routeTree } from '../../../src/web/app/routes.ts';
import { findPages, helpFor, pageOf, pagesFor } from '../../../src/web/staff/shell/staff-pages.ts';
import { type Answer, adasPage, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/pages.md, "The office" and "The list of members".

const listed = (place: number, first_name: string, last_name: string, more: object = {}) => ({
  id: `0197b1f0-0000-7000-8000-00000000000${place}`,
  user_id: `0197b1f0-0000-7000-8000-0000000001${place}0`,
  first_name,
  last_name,
  email: `${first_name}@demo.test`.toLowerCase(),
  phone: null,
  tier: 'premier',
  tier_label: 'Premier',
  standing: 'venue',
  payment: 'venue',
  member_since: '2024-03-01',
  last_visit: null,
  pours_balance: 7,
  total_pours_lifetime: 31,
  former: false,
  ...more,
});
const cara = listed(1, 'Cara', 'Adams');
const former = listed(2, 'Former', 'member', { email: null, former: true, standing: 'inactive' });
const detail = {
  ...adasPage,
  customer: { ...adasPage.customer, id: cara.id, user_id: cara.user_id },
  profile: {
    ...adasPage.profile,
    id: cara.user_id,
    email: cara.email,
    first_name: 'Cara',
    last_name: 'Adams',
  },
};

const rows: Answer = () => ({ members: [cara, former], next_cursor: null });
const answers: Record<string, Answer> = {
  'POST /api/directory': rows,
  'POST /api/directory/count': () => ({ count: 2, more: false }),
  [`GET /api/customers/${cara.id}`]: () => detail,
  [`GET /api/customers/${cara.id}/pours`]: () => [],
};

/** A window as wide as a laptop's, or a phone's. */
function windowOf(office: boolean) {
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: office,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

const asked = (server: ReturnType<typeof stubStaffServer>) => server.made('POST /api/directory').at(-1)?.body;
const row = (name: string) => screen.findByRole('link', { name });

beforeEach(() => {
  // The scanner has no camera here, and says so.
  vi.spyOn(console, 'warn').mockReturnValue();
  windowOf(true);
  // Rows are drawn for the height of the window, which is 0 in this environment.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(65);
});

describe('in a wide window', () => {
  test('the navigation lists the pages open to the user, and marks the one on screen', async () => {
    stubStaffServer(answers);
    openStaffApp('/staff/members');
    const bar = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(bar.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Dashboard',
      'Scan',
      'Members',
      'Wines',
      'Settings',
      'Account',
      'Help with this page (opens in a new tab)',
    ]);
    const current = bar.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
    expect(current.map((link) => link.textContent)).toEqual(['Members']);
  });

  test('a member opens beside the list, and Escape goes back to their row', async () => {
    stubStaffServer(answers);
    const app = openStaffApp('/staff/members?standing=venue');
    await userEvent.click(await row('Adams, Cara'));
    const panel = await screen.findByRole('complementary', { name: 'Cara Adams' });
    within(panel).getByText('Lifetime Pours');
    expect(app.path()).toBe(`/staff/members/${cara.id}`);
    expect(document.activeElement?.textContent).toBe('Cara Adams');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(app.path()).toBe('/staff/members'));
    expect(document.activeElement?.textContent).toBe('Adams, Cara');
    expect(screen.queryByRole('complementary', { name: 'Cara Adams' })).toBeNull();
    app.back();
    await screen.findByRole('complementary', { name: 'Cara Adams' });
  });

  test('the arrows go from row to row', async () => {
    stubStaffServer(answers);
    openStaffApp('/staff/members');
    (await row('Adams, Cara')).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('Former member');
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(document.activeElement?.textContent).toBe('Adams, Cara');
  });

  test('Ctrl K finds a member by what is typed, and Enter opens the first one found', async () => {
    const server = stubStaffServer(answers);
    const app = openStaffApp('/staff/system');
    server.answers['GET /api/system'] = () => Response.json({}, { status: 500 });
    await screen.findByRole('navigation', { name: 'Main' });
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox'), 'cara');
    await screen.findByRole('option', { name: /Cara Adams/ });
    expect(asked(server)).toMatchObject({ search: 'cara' });
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(app.path()).toBe(`/staff/members/${cara.id}`));
    expect(screen.queryByRole('combobox', { name: 'Find a member or a page' })).toBeNull();
  });

  test('a search of members that fails does not say that nothing was found', async () => {
    const server = stubStaffServer(answers);
    openStaffApp('/staff/members');
    await row('Adams, Cara');
    server.answers['POST /api/directory'] = () => Response.json({}, { status: 400 });
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Find a member or a page' }), 'xyzzy');
    await screen.findByText('We couldn’t search the members');
    expect(screen.queryByText('Nothing found')).toBeNull();
  });

  test('g and a letter lead to a page, but not while typing', async () => {
    stubStaffServer(answers);
    const app = openStaffApp('/staff/members');
    await row('Adams, Cara');
    await userEvent.keyboard('/');
    expect(document.activeElement?.getAttribute('type')).toBe('search');
    await userEvent.keyboard('gi');
    expect(app.path()).toBe('/staff/members');
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard('gi');
    await waitFor(() => expect(app.path()).toBe('/staff/tiers'));
  });

  test('no two pages have the same letter', () => {
    const pages = pagesFor(owner, router);
    const keys = pages.map((it) => it.key);
    expect(keys.filter((it, index) => keys.indexOf(it) !== index)).toEqual([]);
  });

  test('? shows the shortcuts, but not in the scanner, where a scanner types', async () => {
    stubStaffServer(answers);
    openStaffApp('/staff/members');
    await row('Adams, Cara');
    await userEvent.keyboard('?');
    await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' });
    cleanup();
    openStaffApp('/staff/search');
    await screen.findByRole('heading', { level: 1 });
    await userEvent.keyboard('?');
    expect(screen.queryByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeNull();
  });
});

/** Everything that staff may open. */
const owner = { permissions: [...STAFF_PERMISSIONS] } as SessionUser;
const router = createRouter({ routeTree });
const staffPages = Object.keys(PAGES).filter((path) => path.startsWith('/staff/'));

describe('the pages of the office', () => {
  test('each has a heading of the handbook, to which the navigation links', async () => {
    const html = new Map(handbook.flatMap((group) => group.pages.map((page) => [page.slug, page.html])));
    const broken = staffPages.map(helpFor).filter((link) => {
      const [slug = '', anchor] = link.replace('/help/', '').split('#');
      return !html.get(slug)?.includes(` id="${anchor}"`);
    });
    expect(broken).toEqual([]);
    stubStaffServer(answers);
    openStaffApp('/staff/members');
    const link = await screen.findByRole('link', { name: /^Help with this page/ });
    expect(link.getAttribute('href')).toBe('/help/your-members#find-someone');
  });

  test('every page for staff lights the entry of its own section', () => {
    const pages = staffPages.filter((path) => !['/staff/more', '/staff/start'].includes(path));
    const unlit = pages.filter((path) => !pagesFor(owner, router).some(({ to }) => to === pageOf(path)?.to));
    expect(unlit).toEqual([]);
    expect(pageOf('/staff/customers/$id/add-pour')?.label).toBe('Members');
    expect(pageOf('/staff/settings/look')?.label).toBe('Look');
    expect(pageOf('/staff/members/new')?.label).toBe('Add Member');
  });

  test.each([
    ['import', 'Import and Export'],
    ['logo', 'Look'],
    ['refund', 'Reports'],
    ['price', 'Tiers'],
    ['PIN', 'Account'],
    ['backup', 'System'],
    ['csv', 'Import and Export'],
    ['dispute', 'Reports'],
    ['allergies', 'Members'],
    ['two-step', 'Account'],
    ['sign up', 'Add Member'],
    ['settings', 'Club'],
  ])('Find leads from %s to %s', (text, label) => {
    expect(findPages(pagesFor(owner, router), text).map((it) => it.label)).toContain(label);
  });

  test('Find puts pages of that name first, and hides what the user may not open', () => {
    expect(findPages(pagesFor(owner, router), 'members')[0]?.label).toBe('Members');
    expect(findPages(pagesFor({ permissions: [] } as unknown as SessionUser, router), 'logo')).toEqual([]);
  });

  test('the settings have a list of their own, and the main navigation lights Settings', async () => {
    stubStaffServer({ ...answers, 'GET /api/system': () => Response.json({}, { status: 500 }) });
    openStaffApp('/staff/system');
    const list = within(await screen.findByRole('navigation', { name: 'Settings' }));
    const lit = (links: HTMLElement[]) =>
      links.filter((it) => it.getAttribute('aria-current') === 'page').map((it) => it.textContent);
    expect(list.getAllByRole('link').map((it) => it.textContent)).toEqual(['Tiers', 'System']);
    expect(lit(list.getAllByRole('link'))).toEqual(['System']);
    const main = within(screen.getByRole('navigation', { name: 'Main' }));
    expect(lit(main.getAllByRole('link'))).toEqual(['Settings']);
    expect(screen.queryByRole('link', { name: 'Back to More' })).toBeNull();
  });
});

describe('the list', () => {
  test('requests what the URL says, and the URL follows what is chosen', async () => {
    const server = stubStaffServer(answers);
    openStaffApp('/staff/members?standing=grace&order=joined&visited=nonsense#search=ad');
    await row('Adams, Cara');
    expect(asked(server)).toEqual({ search: 'ad', standing: 'grace', order: 'joined', direction: 'desc' });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Payment' }), 'card');
    await waitFor(() =>
      expect(asked(server)).toMatchObject({ payment: 'card', standing: 'grace', search: 'ad' }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Joined' }));
    await waitFor(() => expect(asked(server)).toMatchObject({ order: 'joined', direction: 'asc' }));
    await userEvent.click(screen.getByRole('button', { name: 'Clear Filters' }));
    await waitFor(() => expect(asked(server)).toEqual({ search: 'ad', order: 'joined', direction: 'asc' }));
  });

  test('shows the columns chosen on this device', async () => {
    stubStaffServer(answers);
    openStaffApp('/staff/members');
    await row('Adams, Cara');
    const headers = () => screen.getAllByRole('columnheader').map((it) => it.textContent);
    expect(headers()).toEqual(['Name', 'Tier', 'Standing', 'Joined', 'Last visit', 'Left']);
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Phone' }));
    await waitFor(() => expect(headers()).toContain('Phone'));
    cleanup();
    openStaffApp('/staff/members');
    await row('Adams, Cara');
    expect(headers()).toEqual(['Name', 'Phone', 'Tier', 'Standing', 'Joined', 'Last visit', 'Left']);
  });

  test('counts the matches with one request, and says when there are none', async () => {
    const server = stubStaffServer({
      ...answers,
      'POST /api/directory': () => ({ members: [], next_cursor: null }),
      'POST /api/directory/count': () => ({ count: 10_000, more: true }),
    });
    openStaffApp('/staff/members');
    await screen.findByText('No members yet');
    await screen.findByText('More than 10,000 people');
    expect(server.made('POST /api/directory/count')).toHaveLength(1);
  });

  test('on a phone opens the page of a member, which leads back to the list as it was', async () => {
    windowOf(false);
    stubStaffServer(answers);
    const app = openStaffApp('/staff/members?tier=elite');
    await userEvent.click(await row('Adams, Cara'));
    await screen.findByRole('heading', { level: 1, name: 'Cara Adams' });
    expect(screen.queryByRole('complementary', { name: 'Cara Adams' })).toBeNull();
    const back = screen.getByRole('link', { name: 'Back to Members' });
    expect(back.getAttribute('href')).toBe('/staff/members?tier=elite');
    expect(app.path()).toBe(`/staff/members/${cara.id}`);
  });
});
