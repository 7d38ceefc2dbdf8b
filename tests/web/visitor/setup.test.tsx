import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { settingUp } from '../../../src/web/api/device-setting.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const CODE = 'ABCDE-FGHJK-MNPQR-STVWX';
const READ = 'POST /api/setup/read';
const CREATE = 'POST /api/setup';
const gone = () => refusal(404, 'NOT_FOUND', 'Not found.', { what: 'page' });
const owner = { ...bruno, permissions: ['manage_money', 'manage_staff'] };

function openSetup(path: string, answers: Record<string, Answer> = {}) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: null }),
    [READ]: () => ({ club_name: 'Cellar Door', time_zone: 'Europe/Vienna' }),
    [CREATE]: () => Response.json({ email: 'olga@venue.example' }, { status: 201 }),
    'POST /api/auth/sign-in': () => ({ ok: true }),
    ...answers,
  });
  openStaffApp(path);
  return server;
}
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

test('the link in the log opens the form, which creates the account, signs in and goes on', async () => {
  const open = vi.spyOn(window.location, 'replace').mockReturnValue(undefined);
  const server = openSetup(`/setup#${CODE}`);
  await type('Name of the Club', 'Weingut Berger');
  await type('First Name', 'Olga');
  await type('Last Name', 'Berger');
  await type('Email', 'olga@venue.example');
  await type('Password', 'a long walk');
  await type('Confirm Password', 'a long walk');
  await userEvent.click(screen.getByRole('button', { name: 'Set Up the Club' }));
  await waitFor(() => expect(open).toHaveBeenCalledWith('/staff/start'));
  expect(server.made(CREATE).map(({ body }) => body)).toEqual([
    {
      code: CODE,
      club_name: 'Weingut Berger',
      time_zone: 'Europe/Vienna',
      first_name: 'Olga',
      last_name: 'Berger',
      email: 'olga@venue.example',
      password: 'a long walk',
    },
  ]);
  expect(settingUp.read()).toBe(true);
});

test('a wrong code says which one is valid, and a closed page is not found', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const server = openSetup('/setup', {
    [READ]: () => refusal(400, 'LINK_INVALID', 'This link was already used.'),
  });
  await type('Code', 'AAAAA');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText(/use the newest/);
  server.answers[READ] = gone;
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Oops! Page not found');
  vi.mocked(console.error).mockRestore();
});

test('tiers and the payments check can each be put off, and the check lists each finding', async () => {
  openSetup('/staff/start', {
    'GET /api/session': () => ({ user: owner }),
    'GET /api/tier-settings': () => [],
    'POST /api/setup/payments-check': () => ({
      mode: 'test',
      findings: [{ health: 'failing', about: 'webhook endpoint', text: 'there is none' }],
    }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Later' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Check Stripe' }));
  const [line] = within(await screen.findByRole('list', { name: 'What Stripe says' })).getAllByRole(
    'listitem',
  );
  expect(line?.textContent).toBe('Problemwebhook endpoint: there is none');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect((await screen.findByRole('link', { name: 'Go to the Dashboard' })).getAttribute('href')).toBe(
    '/staff/dashboard',
  );
});

describe('setting up the payments', () => {
  const CHECK = 'POST /api/setup/payments-check';
  const PLAN = 'POST /api/setup/payments-plan';
  const SET_UP = 'POST /api/setup/payments';
  const lacking = { health: 'failing', about: 'webhook endpoint', text: 'there is none', setup: true };
  const endpoint = { outcome: 'make', text: 'a webhook endpoint' };
  const open = (answers: Parameters<typeof openSetup>[1]) => {
    let ready = false;
    return openSetup('/staff/payments', {
      'GET /api/session': () => ({ user: owner }),
      [CHECK]: () => ({ mode: 'live', findings: ready ? [] : [lacking] }),
      [PLAN]: () => ({ mode: 'live', plan: 'a'.repeat(32), steps: [endpoint] }),
      [SET_UP]: () => {
        ready = true;
        return {
          mode: 'live',
          steps: [{ outcome: 'made', text: 'webhook endpoint we_1' }],
          tried: [],
          closed: false,
        };
      },
      ...answers,
    });
  };
  const toPlan = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Check Stripe' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Show What Will Change' }));
    return screen.findByRole('list', { name: 'To be done' });
  };

  test('shows the list first, does what it says, and keeps what was done on the page', async () => {
    const server = open({});
    expect((await toPlan()).textContent).toBe('To createa webhook endpoint');
    screen.getByText(/your live account/);
    expect(server.made(SET_UP)).toHaveLength(0);
    await userEvent.click(screen.getByRole('button', { name: 'Set Up Stripe' }));
    expect((await screen.findByRole('list', { name: 'Done' })).textContent).toBe(
      'Createdwebhook endpoint we_1',
    );
    expect(server.made(SET_UP).map(({ body }) => body)).toEqual([{ plan: 'a'.repeat(32) }]);
    await waitFor(() => expect(server.made(CHECK)).toHaveLength(2));
    screen.getByRole('list', { name: 'Done' });
  });

  test('only one button is filled at a time: the next step', async () => {
    open({});
    const filled = () =>
      screen
        .getAllByRole('button')
        .filter(({ classList }) => classList.contains('bg-accent'))
        .map(({ textContent }) => textContent);
    await screen.findByRole('button', { name: 'Check Stripe' });
    expect(filled()).toEqual(['Check Stripe']);
    await userEvent.click(screen.getByRole('button', { name: 'Check Stripe' }));
    await screen.findByRole('button', { name: 'Check Again' });
    expect(filled()).toEqual(['Show What Will Change']);
    await userEvent.click(screen.getByRole('button', { name: 'Show What Will Change' }));
    const setUp = await screen.findByRole('button', { name: 'Set Up Stripe' });
    expect(filled()).toEqual(['Set Up Stripe']);
    await userEvent.click(setUp);
    await screen.findByRole('list', { name: 'Done' });
    await waitFor(() => expect(filled()).toEqual([]));
  });

  test('nothing is done once something changed at Stripe: the new list is shown', async () => {
    const server = open({ [SET_UP]: () => refusal(409, 'SETUP_CHANGED', 'Something changed at Stripe.') });
    await toPlan();
    server.answers[PLAN] = () => ({
      mode: 'live',
      plan: 'b'.repeat(32),
      steps: [endpoint, { outcome: 'change', text: 'portal configuration bpc_1' }],
    });
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await userEvent.click(screen.getByRole('button', { name: 'Set Up Stripe' }));
    await screen.findByText('portal configuration bpc_1');
    expect((await screen.findByRole('alert')).textContent).toContain('Something changed at Stripe.');
    vi.mocked(console.error).mockRestore();
  });

  test('what Stripe refuses is shown in its own sentence, with what it means for joining', async () => {
    const refused = {
      verdict: 'refused',
      about: 'page for a membership',
      text: 'Received unknown parameter: payment_method_types',
    };
    open({
      [SET_UP]: () => ({
        mode: 'test',
        steps: [{ outcome: 'unchanged', text: 'webhook endpoint we_1' }],
        tried: [{ verdict: 'ok', about: 'clean-up', text: 'as we read it' }, refused],
        closed: true,
      }),
    });
    await toPlan();
    await userEvent.click(screen.getByRole('button', { name: 'Set Up Stripe' }));
    expect((await screen.findByRole('list', { name: 'Test' })).textContent).toBe(
      `Refusedpage for a membership: ${refused.text}Works1 of 2 steps of the test`,
    );
    expect(screen.getByRole('alert').textContent).toMatch(/^Joining stays closed/);
  });

  test('a failed step says that it must be repeated', async () => {
    open({
      [SET_UP]: () => ({
        mode: 'live',
        steps: [{ outcome: 'failed', text: 'webhook endpoint: not allowed' }],
        tried: [],
        closed: false,
      }),
    });
    await toPlan();
    await userEvent.click(screen.getByRole('button', { name: 'Set Up Stripe' }));
    await screen.findByText(/Fix what the list shows, then set up again/);
  });
});

test('the dashboard on the device of the set-up lists what is left to do, until the list is hidden', async () => {
  settingUp.write(true);
  openSetup('/staff/dashboard', {
    'GET /api/session': () => ({ user: owner }),
    'GET /api/customers': () => ({ members: [], next_cursor: null }),
    'GET /api/setup/todo': () => ({
      two_factor: true,
      tiers: false,
      payments: true,
      team: false,
      email: false,
    }),
  });
  await screen.findByRole('heading', { name: 'Left to Do' });
  expect(screen.getByRole('link', { name: 'Turn on two-step sign-in' }).getAttribute('href')).toBe(
    '/staff/account',
  );
  screen.getByRole('link', { name: 'Check Stripe' });
  expect(screen.queryByRole('link', { name: 'Invite your team' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
  expect(screen.queryByRole('heading', { name: 'Left to Do' })).toBeNull();
  expect(settingUp.read()).toBe(false);
});
