import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { WordedEmail } from '../../../src/contract/staff/emails.ts';
import { EMAIL_KIND_NAMES, type EmailKind, NO_WORDING } from '../../../src/domain/club/emails.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const worded = (kind: EmailKind, more: Partial<WordedEmail> = {}): WordedEmail => ({
  kind,
  letter: kind,
  default_subject: 'Welcome to our wine club',
  wording: NO_WORDING,
  version: 0,
  problem: null,
  ...more,
});
const SAVE = 'PUT /api/emails/welcome';
const PREVIEW = 'GET /api/emails/welcome/preview';

function openEmails(
  answers: Record<string, Answer> = {},
  own: Partial<WordedEmail> = {},
  permissions = ['manage_staff'],
) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions } }),
    'GET /api/emails': () => EMAIL_KIND_NAMES.map((key) => worded(key, key === 'welcome' ? own : {})),
    [PREVIEW]: ({ query }) => ({ subject: 'Hi · Club', text: `Hello Ada,\n\n${query.get('opening')}` }),
    ...answers,
  });
  openStaffApp('/staff/settings/emails');
  return server;
}
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
// userEvent treats a brace as a key, unless doubled.
const type = async (label: string, text: string) =>
  userEvent.type(await field(label), text.replaceAll('{', '{{'));

test('staff without the permission cannot open the page', async () => {
  const server = openEmails({}, {}, ['manage_money']);
  await screen.findByRole('heading', { level: 1 });
  expect(server.made('GET /api/emails')).toEqual([]);
  expect(screen.queryByLabelText('Subject')).toBeNull();
});

test('words are previewed as text and in a sandboxed frame, and saved with the version they were made on', async () => {
  const saved = { wording: { ...NO_WORDING, opening: 'Hi {first_name}' }, version: 1 };
  const server = openEmails({ [SAVE]: () => worded('welcome', saved) });
  expect((await field('Subject')).placeholder).toBe('Welcome to our wine club');
  await type('Before', 'Hi {first_name}');
  await press('As Text');
  await screen.findByText(/Hi \{first_name\}/, { selector: 'pre' });
  await press('As HTML');
  const frame = screen.getByTitle<HTMLIFrameElement>('The email as HTML');
  expect(frame.getAttribute('sandbox')).toBe('');
  const { pathname, searchParams } = new URL(frame.src);
  expect(pathname).toBe('/api/emails/welcome/preview.html');
  expect(Object.fromEntries(searchParams)).toEqual({ ...NO_WORDING, opening: 'Hi {first_name}' });
  await press('Save');
  await screen.findByText('The email was saved');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([
    { version: 0, wording: { ...NO_WORDING, opening: 'Hi {first_name}' } },
  ]);
  await screen.findByRole('option', { name: 'Membership: A new member (changed)' });
});

test('a variable unknown to the email is refused as it is typed, and not sent', async () => {
  const server = openEmails();
  await type('Subject', 'For {amount}');
  await screen.findByText(/\{amount\} isn’t available in this email\. You can use \{first_name\}/);
  await press('Save');
  expect(server.made(SAVE)).toEqual([]);
});

test('words that are ignored are named, and can be reset', async () => {
  const own = { wording: { ...NO_WORDING, opening: 'Dear {nickname}' }, version: 4 };
  const problem = '{nickname} isn’t available in this email.';
  const server = openEmails({ [SAVE]: () => worded('welcome', { version: 5 }) }, { ...own, problem });
  await screen.findByText('Some of your words are not being used');
  screen.getByText(problem);
  await press('Reset to Default');
  await screen.findByText('The email has its default wording');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([{ version: 4, wording: NO_WORDING }]);
  expect((await field('Before')).value).toBe('');
  expect(screen.queryByText('Some of your words are not being used')).toBeNull();
});

test('the slower of two who save reads that nothing was saved, and sees what the other saved', async () => {
  let other: Partial<WordedEmail> = {};
  openEmails({
    'GET /api/emails': () => [worded('welcome', other)],
    [SAVE]: () => {
      other = { wording: { ...NO_WORDING, opening: 'Theirs' }, version: 1 };
      return refusal(409, 'SETTINGS_CHANGED', 'Someone else has just changed the settings.');
    },
  });
  await type('Before', 'Mine');
  await press('Save');
  await screen.findByText('Nothing was saved');
  await screen.findByDisplayValue('Theirs');
});
