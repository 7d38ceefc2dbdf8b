import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import type { EndOffer } from '../../../src/contract/staff/membership-end.ts';
import { ada, adasPage, bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/membership.md, "Ending by staff".

const member: MemberDetail = {
  ...adasPage,
  standing: 'active',
  next_billing_date: '2026-12-01T12:00:00.000Z',
};
const { user_id } = member.customer;
const offer: EndOffer = {
  paid_by: 'card',
  obstacle: null,
  period_end: '2026-12-01T12:00:00.000Z',
  paused: false,
  last_charge: null,
  charging: null,
  ending: null,
};
const ended: EndOffer = {
  ...offer,
  obstacle: 'ending',
  ending: { at: '2026-12-01T12:00:00.000Z', by: 'venue', under_way: false },
};
const at = `/api/customers/${ada.id}`;

function open(first: EndOffer, then: EndOffer = first, shown: MemberDetail = member) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_members'] } }),
    [`GET /api/customers/${user_id}`]: () => shown,
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

test('the dialog and the notice name what is charged at the end', async () => {
  const last_charge = { amount: 1500, currency: 'usd', tax_behavior: 'unspecified' as const };
  open({ ...offer, last_charge });
  await press('End Membership');
  const dialog = within(await screen.findByRole('alertdialog'));
  const text = /\$15\.00 is charged that day, for changes to the membership\./;
  await dialog.findByText(text);
  await userEvent.selectOptions(dialog.getByLabelText('When'), 'Now');
  expect(dialog.queryByText(text)).toBeNull();
  cleanup();
  open({ ...ended, last_charge });
  await screen.findByText(text);
});

test('at the venue the dialog says until when it is paid', async () => {
  open({ ...offer, paid_by: 'venue' });
  await press('End Membership');
  const dialog = within(await screen.findByRole('alertdialog'));
  await dialog.findByText(/^The membership goes on until 12\/1\/2026, with its pours\. Nothing more is due/);
  dialog.getByRole('option', { name: '12/1/2026 (end of what is paid)' });
  cleanup();
  open({ ...offer, paid_by: 'venue', obstacle: 'overdue' });
  await press('End Membership');
  const overdue = within(await screen.findByRole('alertdialog'));
  await overdue.findByText(/Nothing more is due at the venue/);
  expect(overdue.queryByText(/open invoice/)).toBeNull();
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

test('the end of a gift, or of a membership on the house, is no cancellation', async () => {
  open({
    ...ended,
    paid_by: 'venue',
    ending: { at: '2026-12-01T12:00:00.000Z', by: 'given', under_way: false },
  });
  await screen.findByText('It was given until that day, and ends by itself.');
  expect(screen.queryByText(/The member canceled/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Keep the Membership' })).toBeNull();
});

test("a partner's page links to the holder's, where the membership is paused and ended", async () => {
  const household = {
    role: 'partner' as const,
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
