import { createRouter } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { TeamMember } from '../../../src/contract/staff/team.ts';
import { STAFF_PERMISSIONS, type StaffPermission } from '../../../src/domain/staff/staff-permission.ts';
import { routeTree } from '../../../src/web/app/routes.ts';
import { pagesFor } from '../../../src/web/staff/shell/staff-pages.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const manager = { ...bruno, permissions: ['manage_staff'] };
const self: TeamMember = {
  user_id: bruno.id,
  first_name: 'Bruno',
  last_name: 'Keller',
  email: bruno.email,
  permissions: ['manage_staff'],
  two_factor: true,
  pin: 'set',
  last_seen_at: '2026-06-15T12:00:00.000Z',
};
const jonas: TeamMember = {
  ...self,
  user_id: '0197b1f0-0000-7000-8000-0000000000b2',
  first_name: 'Jonas',
  last_name: 'Weber',
  email: 'jonas@demo.test',
  permissions: [],
};

const openTeam = (answers: Record<string, Answer> = {}) => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: manager }),
    'GET /api/team': () => [self, jonas],
    'GET /api/team-invitations': () => [],
    'GET /api/bar-devices': () => [],
    ...answers,
  });
  return { server, app: openStaffApp('/staff/team') };
};
const cardOf = async (name: string) =>
  within((await screen.findByRole('heading', { name })).closest('li') as HTMLElement);
const box = (card: ReturnType<typeof within>, name: RegExp) =>
  card.getByRole('checkbox', { name }) as HTMLInputElement;

test('a permission is granted by one tap, and taken back by Undo', async () => {
  const path = `PUT /api/team/${jonas.user_id}/permissions/see_reports`;
  const { server } = openTeam({ [path]: ({ body }) => ({ permissions: body.given ? ['see_reports'] : [] }) });
  const reports = box(await cardOf('Jonas Weber'), /^See reports/);
  expect(reports.checked).toBe(false);
  await userEvent.click(reports);
  await screen.findByText('Jonas can: See reports');
  expect(reports.checked).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Jonas can no longer: See reports');
  expect(reports.checked).toBe(false);
  expect(server.made(path).map(({ body }) => body)).toEqual([{ given: true }, { given: false }]);
});

test('a refused change shows why, and the checkbox returns to its state', async () => {
  openTeam({
    [`PUT /api/team/${jonas.user_id}/permissions/see_reports`]: () =>
      refusal(404, 'NOT_FOUND', 'Not found.', { what: 'staff' }),
  });
  const reports = box(await cardOf('Jonas Weber'), /^See reports/);
  await userEvent.click(reports);
  await screen.findByText('Not found.');
  await waitFor(() => expect(reports.checked).toBe(false));
});

test.each([
  ['manage_members', 'Manage members', /^Jonas can then add members, change their names, emails/],
  ['manage_money', 'Manage money', /^Jonas can then change tiers and what members pay, refund payments/],
  ['manage_staff', 'Manage staff', /^Jonas can then invite and remove staff, give any permission to anyone/],
])(
  '%s is granted in a dialog that names what it allows, with the password',
  async (permission, label, can) => {
    const path = `PUT /api/team/${jonas.user_id}/permissions/${permission}`;
    const { server } = openTeam({
      [path]: ({ body }) =>
        body.password === 'wrong'
          ? refusal(403, 'WRONG_PASSWORD', 'Wrong password.')
          : { permissions: [permission] },
    });
    const powerful = box(await cardOf('Jonas Weber'), new RegExp(`^${label}`));
    await userEvent.click(powerful);
    expect(server.made(path)).toEqual([]);
    const dialog = within(screen.getByRole('dialog', { name: `${label}: Jonas?` }));
    dialog.getByText(can);
    await userEvent.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
    expect((await dialog.findByRole('alert')).textContent).toContain('Wrong password');
    expect(powerful.checked).toBe(false);
    await userEvent.clear(dialog.getByLabelText('Password'));
    await userEvent.type(dialog.getByLabelText('Password'), 'right{Enter}');
    await screen.findByText(`Jonas can: ${label}`);
    expect(powerful.checked).toBe(true);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.made(path).at(-1)?.body).toEqual({ given: true, password: 'right' });
  },
);

test('a bartender without permissions is invited without a password', async () => {
  const path = 'POST /api/team-invitations';
  const { server } = openTeam({ [path]: () => refusal(403, 'NOT_ALLOWED', 'Not now.') });
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.queryByLabelText('Your Password')).toBeNull();
  await userEvent.click(dialog.getByRole('checkbox', { name: /^See reports/ }));
  await userEvent.type(dialog.getByLabelText('Their Email'), 'mira@venue.example');
  await userEvent.click(dialog.getByRole('button', { name: 'Send Invitation' }));
  dialog.getByText('Required');
  await userEvent.click(dialog.getByRole('checkbox', { name: /^See reports/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Send Invitation' }));
  await waitFor(() =>
    expect(server.made(path).map(({ body }) => body)).toEqual([
      { email: 'mira@venue.example', permissions: [] },
    ]),
  );
});

test('nobody can remove, sign out or reset themselves, or take manage_staff from themselves', async () => {
  openTeam();
  const own = await cardOf('Bruno Keller');
  own.getByText('You');
  expect(own.queryAllByRole('button')).toEqual([]);
  expect(box(own, /^Manage staff/).disabled).toBe(true);
  expect(box(own, /^See reports/).disabled).toBe(false);
});

test('removing asks first, and says what is kept', async () => {
  let team = [self, jonas];
  const { server } = openTeam({
    'GET /api/team': () => team,
    [`DELETE /api/team/${jonas.user_id}`]: () => {
      team = [self];
      return { removed: true };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Jonas Weber from the team' }));
  screen.getByText(/their name stays on the pours they recorded/);
  expect(server.made(`DELETE /api/team/${jonas.user_id}`)).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await screen.findByText('Jonas Weber is no longer staff');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Jonas Weber' })).toBeNull());
});

test('resetting two-step sign-in takes one’s own password; a wrong one can be corrected', async () => {
  const path = `POST /api/team/${jonas.user_id}/two-factor/reset`;
  const { server } = openTeam({ [path]: () => refusal(403, 'WRONG_PASSWORD', 'Wrong password.') });
  await userEvent.click(await screen.findByRole('button', { name: 'Reset two-step sign-in of Jonas Weber' }));
  await userEvent.type(screen.getByLabelText('Password'), 'wrong{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('Wrong password');
  server.answers[path] = () => ({ removed: true });
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  await screen.findByText('Jonas Weber signs in with the password alone now');
});

const router = createRouter({ routeTree });
const pathsFor = (permissions: readonly StaffPermission[]) =>
  pagesFor({ ...bruno, permissions: [...permissions] }, router).map(({ to }) => to);
const closed = pathsFor(STAFF_PERMISSIONS).filter((path) => !pathsFor([]).includes(path));

/** Pages by the permissions of which any one opens them: docs/rules/staff.md, "Staff and permissions". */
const OPENED_BY: Record<string, StaffPermission[]> = {
  '/staff/at-risk': ['manage_members', 'see_reports'],
  '/staff/mailings': ['manage_members'],
  '/staff/members/new': ['manage_members'],
  '/staff/members/import': ['manage_members'],
  '/staff/payments': ['manage_money'],
  '/staff/reports': ['see_reports'],
  '/staff/settings': ['manage_staff'],
  '/staff/settings/look': ['manage_staff'],
  '/staff/settings/places': ['manage_staff'],
  '/staff/settings/emails': ['manage_staff'],
  '/staff/settings/public-pages': ['manage_staff'],
  '/staff/team': ['manage_staff'],
  '/staff/webhooks': ['manage_staff'],
  '/staff/audit': ['manage_staff'],
};

test.each(STAFF_PERMISSIONS)('%s alone links to its own pages', (permission) => {
  const opened = Object.keys(OPENED_BY).filter((path) => OPENED_BY[path]?.includes(permission));
  expect(closed.filter((path) => pathsFor([permission]).includes(path)).sort()).toEqual(opened.sort());
});

test.each(closed)('%s is closed to staff with every permission but those that open it', async (path) => {
  const permissions = STAFF_PERMISSIONS.filter((it) => !OPENED_BY[path]?.includes(it));
  expect(permissions).not.toEqual([...STAFF_PERMISSIONS]);
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions } }),
    'GET /api/customers': () => ({ members: [], next_cursor: null }),
  });
  const app = openStaffApp(path);
  await waitFor(() => expect(app.path()).toBe('/staff/dashboard'));
});

test('More links to the team only with the permission', async () => {
  stubStaffServer({});
  const { unmount } = openStaffApp('/staff/more');
  await screen.findByRole('link', { name: /^Tiers/ });
  expect(screen.queryByRole('link', { name: /^Team/ })).toBeNull();
  unmount();
  stubStaffServer({ 'GET /api/session': () => ({ user: manager }) });
  openStaffApp('/staff/more');
  expect((await screen.findByRole('link', { name: /^Team/ })).getAttribute('href')).toBe('/staff/team');
});

test('an invitation names the person and their permissions, and takes one’s own password', async () => {
  let invited: object[] = [];
  const { server } = openTeam({
    'GET /api/team-invitations': () => invited,
    'POST /api/team-invitations': ({ body }) => {
      const { email, permissions } = body;
      invited = [
        {
          id: '0197b1f0-0000-7000-8000-0000000000f1',
          email,
          permissions,
          invited_by: 'Bruno Keller',
          created_at: '2026-06-15T12:00:00.000Z',
          expires_at: '2999-06-18T12:00:00.000Z',
        },
      ];
      return invited[0];
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Their Email'), 'mira@venue.example');
  await userEvent.click(dialog.getByRole('checkbox', { name: /^See reports/ }));
  await userEvent.type(dialog.getByLabelText('Your Password'), 'a long password');
  await userEvent.click(dialog.getByRole('button', { name: 'Send Invitation' }));
  await screen.findByText(/See reports · invited by Bruno Keller/);
  expect(server.made('POST /api/team-invitations')[0]?.body).toEqual({
    email: 'mira@venue.example',
    permissions: ['see_reports'],
    password: 'a long password',
  });
});
