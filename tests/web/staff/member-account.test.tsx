import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  ada,
  adasPage,
  bruno,
  openStaffApp,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

// docs/rules/members.md, "A member's account, by staff".

const { user_id } = adasPage.customer;
const account = {
  version: 'a'.repeat(16),
  first_name: 'Ada',
  last_name: 'Vine',
  phone: null,
  email: 'ada@demo.test',
  email_confirmed: true,
  pending_email: null,
  access_email: null,
  personal_emails: null,
  sends_email: true,
  of_staff: false,
};
const at = `/api/customers/${ada.id}`;

function open(answers: Record<string, () => unknown> = {}, permissions = ['manage_members']) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions } }),
    [`GET /api/customers/${user_id}`]: () => adasPage,
    [`GET ${at}/account`]: () => account,
    [`GET ${at}/membership-end`]: () => ({
      ...{ paid_by: 'venue', obstacle: null, period_end: '2026-12-01T12:00:00.000Z' },
      ...{ paused: false, ending: null },
    }),
    ...answers,
  });
  openStaffApp(`/staff/customers/${user_id}`);
  return server;
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const retype = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test.each([
  [true, 'Agreed'],
  [false, 'Turned off'],
  [null, 'Not agreed yet'],
])(
  'the account says whether the member agreed to personal emails (%s): %s',
  async (personal_emails, text) => {
    open({ [`GET ${at}/account`]: () => ({ ...account, personal_emails }) });
    const term = await screen.findByText('Personal emails');
    expect(term.nextElementSibling?.textContent).toBe(text);
  },
);

test('staff without manage_members do not see the account', async () => {
  const server = open({}, []);
  await screen.findByText('No pours recorded yet');
  expect(screen.queryByRole('heading', { name: 'Account' })).toBeNull();
  expect(server.made(`GET ${at}/account`)).toEqual([]);
});

test('a name that a colleague has just changed is shown before it is replaced', async () => {
  const saved = { ...account, version: 'c'.repeat(16), first_name: 'Ida' };
  const theirs = { ...account, version: 'b'.repeat(16), first_name: 'Grace' };
  const server = open({
    [`PUT ${at}/account`]: () => refusal(409, 'MEMBER_CHANGED', 'Someone has just changed this member.'),
  });
  await press('Edit Name and Phone');
  await retype('First Name', 'Ida');
  server.answers[`GET ${at}/account`] = () => theirs;
  await press('Save');
  await screen.findByText(/It now says: Grace Vine, ada@demo.test/);
  server.answers[`PUT ${at}/account`] = () => saved;
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.made(`PUT ${at}/account`).map(({ body }) => body.version)).toEqual([
    account.version,
    theirs.version,
  ]);
});

test.each([
  ['EMAIL_IN_USE', 'Another account uses this email. Please enter a different one.'],
  ['EMAIL_UNCHANGED', 'The account already has this email.'],
])('a refused new email (%s) is reported at its field', async (code, text) => {
  open({
    [`POST ${at}/email`]: () =>
      refusal(409, code, 'Another account uses this email. Please enter a different one.'),
  });
  await press('Change Email');
  await userEvent.type(await screen.findByLabelText('New Email'), 'other@demo.test');
  await press('Send the Link');
  const field = await screen.findByLabelText('New Email');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  within(screen.getByRole('dialog')).getByText(text);
});

test('a new email not yet confirmed is shown, and can be withdrawn', async () => {
  const waiting = {
    ...account,
    pending_email: { new_email: 'new@demo.test', expires_at: '2026-11-23T12:00:00.000Z' },
  };
  open({ [`GET ${at}/account`]: () => waiting, [`DELETE ${at}/email`]: () => account });
  await screen.findByText('new@demo.test');
  await press('Withdraw');
  await waitFor(() => expect(screen.queryByText('new@demo.test')).toBeNull());
});

test('the link to choose a password is emailed, and the page says so', async () => {
  const lost = { ...account, access_email: { kind: 'password' as const, sent_at: null } };
  const sent = { ...lost, access_email: { ...lost.access_email, sent_at: '2026-11-23T12:00:00.000Z' } };
  open({ [`GET ${at}/account`]: () => lost, [`POST ${at}/access-email`]: () => sent });
  await screen.findByText('No email has been sent yet.');
  await press('Send the Link to Choose One');
  await screen.findByText(/The last email was sent/);
});

test('the last receipt is sent again, and a refusal is explained', async () => {
  const list = [{ kind: 'receipt', sent_at: '2026-11-22T12:00:00.000Z' }];
  let tries = 0;
  const server = open({
    [`GET ${at}/emails`]: () => list,
    [`POST ${at}/emails/receipt`]: () =>
      tries++ === 0 ? list : refusal(429, 'TOO_MANY_ATTEMPTS', 'Too many.', { retry_after_seconds: 60 }),
  });
  await press('Resend an Email');
  await screen.findByText(/Last sent/);
  expect(screen.queryByText('Welcome')).toBeNull();
  await press('Send Last Receipt');
  await screen.findByText('Email sent');
  await press('Send Last Receipt');
  await screen.findByText(/already been sent several emails/);
  expect(server.made(`POST ${at}/emails/receipt`)).toHaveLength(2);
});

test('when there is no email to send, the dialog says why', async () => {
  open({ [`GET ${at}/emails`]: () => [] });
  await press('Resend an Email');
  await screen.findByText(/no receipt, and no ongoing membership/);
});

test('an email that the member’s mail server refused is shown at the address, until it is settled', async () => {
  const notice = (of: string, settled: object | null) => ({
    id: of,
    kind: 'email_refused',
    facts: { subject: `To ${of}` },
    member: { user_id: of, first_name: 'Ada', last_name: 'Vine', email: 'ada@demo.test', has_record: true },
    created_at: '2026-11-01T12:00:00.000Z',
    settled,
  });
  let notices = [notice(user_id, null), notice('0197b1f0-0000-7000-8000-00000000000f', null)];
  const settle = `POST /api/staff-notices/${user_id}/settle`;
  const server = open({
    'GET /api/staff-notices': () => notices,
    [settle]: () => {
      notices = [notice(user_id, { at: '2026-11-02T12:00:00.000Z', by: 'Bruno' })];
      return notices[0];
    },
  });
  await screen.findByText('This address doesn’t get our emails');
  screen.getByText(new RegExp(`To ${user_id}`));
  expect(screen.queryByText(/To 0197b1f0-0000-7000-8000-00000000000f/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Mark as Settled/ }));
  await waitFor(() => expect(screen.queryByText('This address doesn’t get our emails')).toBeNull());
  expect(server.made(settle)).toHaveLength(1);
});
