import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import { lastPourLabel, lastVisitLabel, standingLabel } from '../../../src/web/format/standing-labels.ts';
import {
  loadQuickPour,
  saveQuickPour,
  withinBalance,
} from '../../../src/web/staff/pours/quick-pour-defaults.ts';
import { secondsLeft } from '../../../src/web/staff/pours/use-countdown.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import {
  ada,
  adaAtBar,
  bruno,
  openStaffApp,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

const page = `/staff/customers/${ada.id}/add-pour`;
const bar = `GET /api/customers/${ada.id}/bar`;
const record = 'POST /api/pours';
const pourId = '0197b1f0-0000-7000-8000-0000000000d1';
const voidIt = `POST /api/pours/${pourId}/void`;

const recorded = (pours_balance: number) => ({
  pour: {
    id: pourId,
    quantity: 1,
    location: 'main_bar',
    notes: null,
    status: 'redeemed',
    toast_reference_number: 'POUR-1',
    created_at: '2026-03-01T10:00:00.000Z',
  },
  pours_balance,
  repeated: false,
});

function serve(answers: Record<string, Answer> = {}) {
  let left = 7;
  return stubStaffServer({
    [bar]: () => ({ ...adaAtBar, pours_balance: left }),
    [record]: () => {
      left = 6;
      return recorded(left);
    },
    [voidIt]: () => {
      left = 7;
      return { pour: recorded(left).pour, pours_balance: left };
    },
    ...answers,
  });
}

async function open(state: Record<string, unknown> = { customer: ada }) {
  const app = openStaffApp(page, state);
  await screen.findByText('Active');
  await waitFor(() => expect(app.state().request_id).toBeTypeOf('string'));
  return app;
}
const tap = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(cleanup);

describe('labels at the bar', () => {
  const standing = (change: Partial<BarCard>) => standingLabel({ ...adaAtBar, ...change } as BarCard);
  test('every standing has a label, and only two are positive', () => {
    expect(standing({ standing: 'active' }).tone).toBe('positive');
    expect(standing({ standing: 'active', pours_when_paid: 3 })).toEqual({
      tone: 'positive',
      text: 'Active, payment pending',
    });
    expect(standing({ standing: 'venue' })).toEqual({ tone: 'positive', text: 'Active, billed here' });
    expect(standing({ standing: 'ending', ends_at: '2026-03-14T12:00:00Z' })).toEqual({
      tone: 'warning',
      text: 'Ends 3/14/2026',
    });
    expect(standing({ standing: 'grace', grace_until: '2026-03-14T12:00:00Z' })).toEqual({
      tone: 'warning',
      text: 'Payment failed, OK until 3/14/2026',
    });
    for (const none of ['inactive', 'suspended', 'ended', 'unknown'] as const) {
      expect(standing({ standing: none }).tone).toBe('danger');
    }
  });

  test('the last visit, in calendar days', () => {
    const now = new Date(2026, 2, 10, 0, 30);
    const at = (day: number, hour: number) => lastVisitLabel(new Date(2026, 2, day, hour).toISOString(), now);
    expect(lastVisitLabel(null, now)).toBe('First visit');
    expect(at(10, 0)).toBe('Today');
    expect(at(9, 23)).toBe('Yesterday');
    expect(at(4, 12)).toBe('6 days ago');
    expect(at(3, 12)).toBe('Mar 3, 2026');
  });

  test('the last pour; a recent one with who poured it', () => {
    const now = new Date(2026, 2, 10, 19, 10);
    const poured = (minute: number, day = 10, hour = 19) =>
      lastPourLabel(
        {
          id: pourId,
          quantity: 2,
          location: 'private_event',
          created_at: new Date(2026, 2, day, hour, minute).toISOString(),
          recorded_by: 'Noor Haddad',
        },
        now,
      );
    expect(lastPourLabel(null, now).text).toBe('None yet');
    expect(poured(5)).toEqual({ text: '2 pours, Private Event, 7:05 PM', recent: false });
    expect(poured(46, 9, 22).text).toBe('Yesterday, 10:46 PM, 2 at Private Event');
    expect(poured(46, 7, 22).text).toBe('3 days ago, 10:46 PM, 2 at Private Event');
    expect(poured(6)).toEqual({ text: '2 pours, 4 min ago by Noor Haddad', recent: true });
    expect(poured(10).text).toBe('2 pours, just now by Noor Haddad');
  });
});

describe('what one tap pours', () => {
  test('one at the bar, until something else is chosen; invalid storage counts as nothing chosen', () => {
    expect(loadQuickPour()).toEqual({ quantity: 1, location: 'bar' });
    saveQuickPour({ quantity: 2, location: 'event' });
    expect(loadQuickPour()).toEqual({ quantity: 2, location: 'event' });
    for (const nonsense of ['{', 'null', '{"quantity":0,"location":"roof"}', '{"quantity":1.5}']) {
      localStorage.setItem('cellar-door:quick-pour', nonsense);
      expect(loadQuickPour()).toEqual({ quantity: 1, location: 'bar' });
    }
  });

  test('is never more than the member has', () => {
    expect(withinBalance({ quantity: 3, location: 'bar' }, 2).quantity).toBe(2);
    expect(withinBalance({ quantity: 3, location: 'bar' }, 0).quantity).toBe(1);
  });

  test('is on the button, and stays for the next member', async () => {
    const server = serve();
    const app = await open();
    await tap('More glasses');
    await userEvent.selectOptions(screen.getByLabelText('Where'), 'Event');
    app.unmount();
    await open();
    await tap('Pour 2');
    await screen.findByText('2 pours recorded');
    expect(server.made(record)[0]?.body).toMatchObject({ quantity: 2, location: 'event' });
  });

  test('what the full form recorded is remembered too', async () => {
    serve({
      'POST /api/functions/get-available-pours': () => ({ available_pours: 7, pours_used: 3, tier_max: 10 }),
    });
    await open();
    await tap('One more');
    await userEvent.selectOptions(screen.getByLabelText('Location'), 'Tasting Room');
    await tap('Record Pour');
    await screen.findByText('2 pours recorded');
    expect(loadQuickPour()).toEqual({ quantity: 2, location: 'tasting_room' });
  });
});

test('one tap records, in one request', async () => {
  const server = serve();
  const app = await open();
  const { request_id } = app.state();
  await userEvent.dblClick(screen.getByRole('button', { name: 'Pour 1' }));
  await screen.findByText('Pour recorded successfully!');
  expect(server.made(record).map((it) => it.body)).toEqual([
    { request_id, customer_id: ada.id, quantity: 1, location: 'bar' },
  ]);
  const result = screen.getByText('1 pour recorded').closest('[role="status"]');
  within(result as HTMLElement).getByText('6');
  expect(screen.queryByRole('button', { name: 'Pour 1' })).toBeNull();
});

test('another pour for the same member is another request', async () => {
  const server = serve();
  await open();
  await tap('Pour 1');
  await screen.findByText('1 pour recorded');
  await tap('Pour Another');
  await userEvent.click(await screen.findByRole('button', { name: 'Pour 1' }));
  await screen.findByText('1 pour recorded');
  const [first, second] = server.made(record).map(({ body }) => body.request_id);
  expect(second).not.toBe(first);
});

test('more than the server allows: the message, and nothing is recorded', async () => {
  const server = serve();
  await open();
  server.answers[record] = () => refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 0 });
  server.answers[bar] = () => ({ ...adaAtBar, pours_balance: 0 });
  await tap('Pour 1');
  await screen.findByText('No pours left in this billing period');
  expect(screen.getByRole('button', { name: 'Pour 1' })).toHaveProperty('disabled', true);
  expect(screen.queryByText('1 pour recorded')).toBeNull();
});

test('without a network it is queued, counts against the balance, and can be undone', async () => {
  const server = serve({ [record]: () => Promise.reject(new TypeError('offline')) });
  const app = await open();
  await tap('Pour 1');
  await screen.findByRole('button', { name: '1 pour waiting' });
  screen.getByRole('img', { name: '6 of 10 pours left' });
  expect(screen.queryByText('Failed to record pour')).toBeNull();
  expect(localStorage.getItem(`cellar-door:pour:${app.state().request_id}`)).toContain(bruno.id);

  server.answers[record] = () => recorded(6);
  await tap('Undo');
  await screen.findByText('1 pour undone');
  expect(screen.queryByRole('button', { name: '1 pour waiting' })).toBeNull();
  await waitFor(() => expect(server.made(voidIt)).toHaveLength(1), { timeout: 5_000 });
});

describe('undo', () => {
  test('counts ten seconds down', () => {
    expect([0, 1, 1_000, 9_001, 10_000, 60_000].map((ms) => secondsLeft(ms, 0))).toEqual([
      0, 1, 1, 10, 10, 10,
    ]);
    expect(secondsLeft(0, 5_000)).toBe(0);
  });

  test('within ten seconds needs no reason', async () => {
    const server = serve();
    await open();
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    await tap('Undo');
    await screen.findByText('1 pour undone');
    expect(server.made(voidIt).map((it) => it.body)).toEqual([{}]);
    await screen.findByRole('img', { name: '7 of 10 pours left' });
    expect(screen.getByRole('button', { name: 'Undo' })).toHaveProperty('disabled', true);
  });

  test('that arrives too late asks for a reason and sends it', async () => {
    const server = serve();
    server.answers[voidIt] = ({ body }) =>
      body.reason
        ? { pour: recorded(7).pour, pours_balance: 7 }
        : refusal(409, 'VOID_NEEDS_REASON', 'Please enter a reason.');
    await open();
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    await tap('Undo');
    const dialog = await screen.findByRole('dialog', { name: 'Undo this pour?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo Pour' }));
    within(dialog).getByText('Please enter a reason.');
    await userEvent.type(within(dialog).getByLabelText('Reason'), ' spilled ');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo Pour' }));
    await screen.findByText('1 pour undone');
    expect(server.made(voidIt).map((it) => it.body)).toEqual([{}, { reason: 'spilled' }]);
  });

  test('that does not reach the server says so, and the pour stays', async () => {
    serve({ [voidIt]: () => Promise.reject(new TypeError('offline')) });
    await open();
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    await tap('Undo');
    await screen.findByText('Failed to undo pour');
    screen.getByText('1 pour recorded');
  });
});
