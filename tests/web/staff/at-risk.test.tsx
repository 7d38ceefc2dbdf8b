import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import {
  type Answer,
  ada,
  bruno,
  openStaffApp,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

const LIST = 'GET /api/members-at-risk';
const SEND = `POST /api/members-at-risk/${ada.id}/email`;
const member = {
  customer_id: ada.id,
  user_id: '0197b1f0-0000-7000-8000-000000000001',
  name: 'Ada Vine',
  tier: 'premier',
  last_visit: '2026-10-08',
  days_away: 45,
  level: 'medium',
  risks: [{ kind: 'absent', level: 'medium', text: 'Used to come every 7 days, last here 45 days ago' }],
  act: 'Invite them back',
  draft: { subject: 'It has been a while', text: 'We have not seen you.\n\nSee you soon.' },
  last_email: null as string | null,
  obstacle: null as string | null,
};
const open = (
  answers: Record<string, Answer> = {},
  path = '/staff/at-risk',
  permission = 'manage_members',
) => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: [permission] } }),
    [LIST]: () => ({ total: 1, members: [member] }),
    ...answers,
  });
  openStaffApp(path);
  return server;
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('each member is shown with the reason, its figures and one thing to do', async () => {
  open();
  await screen.findByText('Used to come every 7 days, last here 45 days ago');
  screen.getByText('Invite them back');
  screen.getByText('Medium risk');
  screen.getByText('Last visit: 10/8/2026');
  expect(screen.getByRole('link', { name: 'Ada Vine' }).getAttribute('href')).toContain(member.user_id);
});

test('an email can be read and changed first, and is sent as changed', async () => {
  const server = open({ [SEND]: () => ({ sent_at: '2026-11-22T12:00:00.000Z' }) });
  await screen.findByText('Invite them back');
  await press('Write to Ada Vine');
  const text = await screen.findByLabelText<HTMLTextAreaElement>('Text');
  expect(text.value).toBe(member.draft.text);
  expect(server.made(SEND)).toEqual([]);
  await userEvent.clear(text);
  await userEvent.type(text, 'Come by on Friday.');
  await press('Send');
  await screen.findByText('Sent to Ada Vine');
  expect(server.made(SEND).map(({ body }) => body)).toMatchObject([
    { subject: 'It has been a while', text: 'Come by on Friday.' },
  ]);
});

test('when a colleague was faster, nothing is sent and the text stays', async () => {
  open({ [SEND]: () => refusal(409, 'LETTER_REFUSED', 'Not now', { reason: 'too_soon' }) });
  await screen.findByText('Invite them back');
  await press('Write to Ada Vine');
  await press('Send');
  await screen.findByText(/someone already wrote to them in the last 30 days/);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe(member.draft.text);
});

test('a member who wants no emails, or just had one, cannot be written to', async () => {
  const others = [
    { ...member, customer_id: 'a', obstacle: 'not_agreed' },
    { ...member, customer_id: 'b', obstacle: 'opted_out' },
    { ...member, customer_id: 'c', obstacle: 'too_soon', last_email: '2026-11-10T12:00:00.000Z' },
  ];
  open({ [LIST]: () => ({ total: 3, members: others }) });
  await screen.findByText('Has not agreed to emails yet');
  screen.getByText('Wants no such emails');
  screen.getByText('Emailed on 11/10/2026');
  expect(screen.queryByRole('button', { name: /Write/ })).toBeNull();
});

test('the page says when nobody is at risk', async () => {
  open({ [LIST]: () => ({ total: 0, members: [] }) });
  await screen.findByText('Nobody is at risk');
});

test('the members not seen are a reason of the list, also under the report’s old address and for staff who see reports', async () => {
  const server = open({}, '/staff/reports?view=absent', 'see_reports');
  const reason = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Reason' });
  await screen.findByText('Ada Vine');
  expect(reason.value).toBe('absent');
  expect(screen.getByRole('link', { name: 'These members as a CSV file' }).getAttribute('href')).toBe(
    '/api/members-at-risk/csv?reason=absent',
  );
  // Only staff who manage members write to them.
  expect(screen.queryByRole('button', { name: /Write/ })).toBeNull();
  await userEvent.selectOptions(reason, 'Every reason');
  await screen.findByText('Ada Vine');
  expect(server.made(LIST).map(({ query }) => query.get('reason'))).toEqual(['absent', null]);
});
