import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const AUDIENCE = 'POST /api/mailings/audience';
const PREVIEW = 'POST /api/mailings/preview';
const SEND = 'POST /api/mailings';
const LIST = 'GET /api/mailings';
const audience = { wanted: 94, unasked: 31, refused: 18, obstacle: null, next_at: null };
const mailing = {
  id: '0197b1f0-0000-7000-8000-0000000000aa',
  subject: 'The new Barolo',
  text: 'It is open.',
  about_opening: false,
  sent_by: 'Bruno Bar',
  created_at: '2026-11-01T12:00:00.000Z',
  recipients: 94,
  emailed: 40,
  came: 3,
  state: 'sending',
};
const open = (answers: Record<string, Answer> = {}, path = '/staff/mailings/new?tier=premier') => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_members'] } }),
    [AUDIENCE]: () => audience,
    [PREVIEW]: () => ({ reader: 'Ada Vine', subject: 'The new Barolo · Cellar', text: 'Hello Ada,' }),
    [LIST]: () => [mailing],
    ...answers,
  });
  openStaffApp(path);
  return server;
};
const fill = async (subject = 'The new Barolo', text = 'Come by, {{first_name}.') => {
  await userEvent.type(await screen.findByLabelText('Subject'), subject);
  await userEvent.type(screen.getByLabelText('Text'), text);
};
const sendButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Send to 94 members' });

test('the page says who agreed, previews the email as one of them, and sends it to the filtered list', async () => {
  const server = open({ [SEND]: () => mailing });
  await screen.findByText('94 said yes, 31 were never asked, 18 said no. It goes to those who said yes.');
  await fill();
  await screen.findByText('As Ada Vine gets it. Nothing is sent yet.');
  await userEvent.click(await sendButton());
  await screen.findByText('40 of 94 sent');
  expect(server.made(SEND)).toMatchObject([
    {
      body: {
        filter: { tier: 'premier' },
        about_opening: false,
        subject: 'The new Barolo',
        text: 'Come by, {first_name}.',
      },
    },
  ]);
});

test('a foreign link is refused below its field, and nothing is sent', async () => {
  const server = open();
  await fill('News', 'See https://elsewhere.example');
  await userEvent.click(await sendButton());
  await screen.findByText(/^Links may only lead to/);
  expect(server.made(SEND)).toEqual([]);
});

test('within a week only an email about the opening can go out', async () => {
  open({ [AUDIENCE]: () => ({ ...audience, next_at: '2026-12-08T12:00:00.000Z' }) });
  await screen.findByText('The club wrote less than a week ago');
  expect((await sendButton()).disabled).toBe(true);
  await userEvent.click(screen.getByRole('checkbox', { name: 'It is about when the venue is open' }));
  expect((await sendButton()).disabled).toBe(false);
});

test('a list of which nobody agreed says so, and cannot be sent to', async () => {
  open({ [AUDIENCE]: () => ({ ...audience, wanted: 0, obstacle: 'nobody' }) });
  await screen.findByText(/^Nobody on this list has agreed/);
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send to 0 members' });
  expect(button.disabled).toBe(true);
});

test('an email that a colleague was faster with keeps the text, and says why', async () => {
  open({ [SEND]: () => refusal(409, 'MAILING_REFUSED', 'Not now', { reason: 'too_soon' }) });
  await fill();
  await userEvent.click(await sendButton());
  await screen.findByText('The club wrote to its members less than a week ago.');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Come by, {first_name}.');
});

test('a running email is stopped after a question, and says how many went out', async () => {
  const server = open(
    { [`POST /api/mailings/${mailing.id}/stop`]: () => ({ ...mailing, state: 'stopped', emailed: 45 }) },
    '/staff/mailings',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Stop this email?' });
  within(dialog).getByText(/^40 emails went out/);
  expect(server.made(`POST /api/mailings/${mailing.id}/stop`)).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Stop' }));
  await screen.findByText('Stopped after 45 emails');
});

test('an email of last month says how many came in the week after it', async () => {
  open({ [LIST]: () => [{ ...mailing, emailed: 94, came: 61, state: 'sent' }] }, '/staff/mailings');
  await screen.findByText('Sent to 94 members');
  screen.getByText('61 came in the week after');
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
});

test('a club that has written nothing is told how to begin', async () => {
  open({ [LIST]: () => [] }, '/staff/mailings');
  await screen.findByText('Nothing written yet');
  screen.getByRole('link', { name: 'Open the Members’ List' });
});
