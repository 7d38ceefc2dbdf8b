import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { EndOffer } from '../../../src/contract/staff/membership-end.ts';
import { ada, bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/membership.md, "Ending by staff".

const user_id = '0197b1f0-0000-7000-8000-000000000001';
const member = {
  customer: {
    id: ada.id,
    user_id,
    tier: 'premier',
    status: 'active',
    member_since: '2024-03-01',
    pours_balance: 7,
    total_pours_lifetime: 31,
    last_activity: null,
  },
  profile: { id: user_id, email: 'ada@demo.test', first_name: 'Ada', last_name: 'Vine', phone: null },
  tier_display_name: 'Premier',
  has_active_membership: true,
  standing: 'active',
  no_access_since: null,
  pours_return_on: null,
  next_billing_date: '2026-12-01T12:00:00.000Z',
  ends_at: null,
  pause: null,
  available_pours: 7,
  grants: [],
  period_pours: 10,
  has_preferences: false,
  former: false,
};
const offer: EndOffer = {
  paid_by: 'card',
  obstacle: null,
  period_end: '2026-12-01T12:00:00.000Z',
  paused: false,
  ending: null,
};
const ended: EndOffer = {
  ...offer,
  obstacle: 'ending',
  ending: { at: '2026-12-01T12:00:00.000Z', by: 'venue', under_way: false },
};
const at = `/api/customers/${ada.id}`;

function open(first: EndOffer, then: EndOffer = first, shown: object = member) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_members'] } }),
    [`GET /api/customers/${user_id}`]: () => shown,
    [`GET ${at}/pours`]: () => [],
    [`GET ${at}/timeline`]: () => ({ entries: [], next_cursor: null }),
    [`GET ${at}/record`]: () => ({
      ...{ notes: [], tags: [], all_tags: [] },
      about: { allergies: null, birthday: null },
    }),
    [`GET ${at}/account`]: () => ({
      ...{ version: 'a'.repeat(16), first_name: 'Ada', last_name: 'Vine', phone: null },
      ...{ email: 'ada@demo.test', email_confirmed: true, pending_email: null, letter: null },
      ...{ personal_emails: null, sends_email: true, of_staff: false },
    }),
    [`GET ${at}/membership-end`]: () => first,
    [`POST ${at}/membership-end`]: () => then,
    [`DELETE ${at}/membership-end`]: () => then,
  });
  openStaffApp(`/staff/customers/${user_id}`);
  return server;
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test.each([
  [1, '1 pour is left and can be poured until 12/1/2026.', 'The remaining pour is lost right away.'],
  [0, 'The membership goes on until 12/1/2026. No pours are left.', 'No more pours from now on.'],
])('with %i left, the dialog says what becomes of them', async (available_pours, later, now) => {
  open(offer, offer, { ...member, available_pours });
  await press('End Membership');
  const dialog = within(await screen.findByRole('alertdialog'));
  await dialog.findByText(new RegExp(`^${later}`));
  await userEvent.selectOptions(dialog.getByLabelText('When'), 'Now');
  dialog.getByText(new RegExp(`^${now}`));
});

test('the dialog first says what it means, requires a reason, and focuses the safe answer', async () => {
  const server = open(offer, ended);
  await press('End Membership');
  const dialog = within(await screen.findByRole('alertdialog'));
  await dialog.findByText(/7 pours are left and can be poured until 12\/1\/2026/);
  expect(dialog.getByRole('button', { name: 'Keep It' }).hasAttribute('autofocus')).toBe(true);
  await press('End on 12/1/2026');
  await dialog.findByText('Choose a reason.');
  expect(server.made(`POST ${at}/membership-end`)).toEqual([]);
  await userEvent.selectOptions(dialog.getByLabelText('Reason'), 'Moving away');
  await press('End on 12/1/2026');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(server.made(`POST ${at}/membership-end`).map(({ body }) => body)).toEqual([
    { when: 'period_end', reason: 'moving', period_end: offer.period_end },
  ]);
});

test('with a payment due the membership can only end now', async () => {
  open({ ...offer, obstacle: 'overdue' });
  await press('End Membership');
  const dialog = within(await screen.findByRole('alertdialog'));
  await dialog.findByText(/The open invoice is void/);
  expect(dialog.getAllByRole('option', { name: /^(On|Now)/ }).map((it) => it.textContent)).toEqual(['Now']);
});

test('an end that staff set can be withdrawn; the member’s own cancellation cannot', async () => {
  open(ended, offer);
  await screen.findByText('Ends on 12/1/2026');
  await press('Keep the Membership');
  await waitFor(() => expect(screen.queryByText('Ends on 12/1/2026')).toBeNull());
  cleanup();
  open({ ...ended, ending: { at: '2026-12-01T12:00:00.000Z', by: 'member', under_way: false } });
  await screen.findByText(/The member canceled/);
  expect(screen.queryByRole('button', { name: 'Keep the Membership' })).toBeNull();
});

test("a partner's page links to the holder's, where the membership is paused and ended", async () => {
  const household = {
    role: 'partner',
    with: 'Ben Vine',
    customer_id: '0197b1f0-0000-7000-8000-0000000000c9',
  };
  open(offer, offer, { ...member, has_active_membership: false, household });
  const link = await screen.findByRole('link', { name: 'Ben Vine' });
  expect(link.getAttribute('href')).toBe(`/staff/customers/${household.customer_id}`);
  expect(screen.queryByRole('button', { name: 'End Membership' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Pause Membership' })).toBeNull();
  cleanup();
  open(offer, offer, { ...member, household: { ...household, role: 'holder' } });
  expect(await screen.findByRole('button', { name: 'End Membership' })).toBeDefined();
});
