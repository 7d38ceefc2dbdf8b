import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import { noteServerTime } from '../../../src/web/api/server-clock.ts';
import { site } from '../../../src/web/api/site.ts';
import {
  lastPourLabel,
  lastVisitLabel,
  noAccessReason,
  poursReturnText,
  standingLabel,
} from '../../../src/web/format/standing-labels.ts';
import { queueStore } from '../../../src/web/staff/offline-queue/queue-store.ts';
import { fixedPlace, fixPlace } from '../../../src/web/staff/pours/pour-place.ts';
import { secondsLeft } from '../../../src/web/staff/pours/undo-button.tsx';
import type { Answer } from '../../support/web/staff-app.tsx';
import {
  ada,
  adaAtBar,
  bruno,
  openStaffApp,
  recorded,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

const page = `/staff/customers/${ada.id}/add-pour`;
const bar = `GET /api/customers/${ada.id}/bar`;
const record = 'POST /api/pours';
const pourId = recorded(6).pour.id;
const voidIt = `POST /api/pours/${pourId}/void`;

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

async function open(state: Record<string, unknown> = { customer: ada }, shown = 'Active') {
  const app = openStaffApp(page, state);
  await screen.findByText(shown);
  await waitFor(() => expect(app.state().request_id).toBeTypeOf('string'));
  return app;
}
const tap = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  fixPlace('bar');
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('labels at the bar', () => {
  const standing = (change: Partial<BarCard>) => standingLabel({ ...adaAtBar, ...change } as BarCard);
  test('name the standing, in a positive tone only if it is active or billed at the venue', () => {
    expect(standing({ standing: 'active' }).tone).toBe('positive');
    expect(standing({ standing: 'active', pours_when_paid: 3 })).toEqual({
      tone: 'positive',
      text: 'Active, payment pending',
    });
    expect(standing({ standing: 'venue' })).toEqual({ tone: 'positive', text: 'Active, billed here' });
    const last_day = '2027-04-30';
    const dues = { paid_until: '2027-05-01', grace_until: '2027-05-08', price_cents: 3900, year_cents: null };
    for (const [change, text] of [
      [{ gift: { from_name: null, last_day } }, 'Active, a gift'],
      [{ house: { last_day } }, 'Active, on the house'],
      [{ dues: { ...dues, state: 'paid', is_year: true } }, 'Active, paid for a year'],
      [{ dues: { ...dues, state: 'paid', is_year: false } }, 'Active, billed here'],
    ] as const) {
      expect(standing({ standing: 'venue', ...change })).toEqual({ tone: 'positive', text });
    }
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

  test('say why a member has no access, and since when', () => {
    const why = (name: BarCard['standing'], no_access_since: string | null) =>
      noAccessReason({ standing: name, no_access_since });
    expect(why('ended', '2026-11-03')).toBe('membership ended on 11/3/2026');
    expect(why('inactive', '2025-11-03')).toBe('membership ended on 11/3/2025');
    expect(why('inactive', null)).toBe('no membership');
    expect(why('suspended', '2026-11-03')).toBe('payment due since 11/3/2026');
    expect(why('suspended', null)).toBe('payment due');
    for (const access of ['active', 'venue', 'ending', 'grace'] as const)
      expect(why(access, null)).toBeNull();
    expect(standing({ standing: 'ended', no_access_since: '2026-11-03' }).text).toBe(
      'Membership ended on 11/3/2026',
    );
  });

  test('say when glasses come back', () => {
    const text = (change: Partial<BarCard>) =>
      poursReturnText({ ...adaAtBar, ...change } as unknown as BarCard);
    expect(text({ pours_return_on: '2026-12-21' })).toBe('New pours on 12/21/2026');
    expect(text({ pours_return_on: null })).toBe('New pours once this month’s payment goes through');
    expect(text({ standing: 'ending', pours_return_on: null })).toBe('No more before this membership ends');
    expect(text({ standing: 'ended', no_access_since: '2026-11-03' })).toBe('Membership ended on 11/3/2026');
  });

  test('give the last visit in calendar days', () => {
    const now = new Date(2026, 2, 10, 0, 30);
    const at = (day: number, hour: number) => lastVisitLabel(new Date(2026, 2, day, hour).toISOString(), now);
    expect(lastVisitLabel(null, now)).toBe('First visit');
    expect(at(10, 0)).toBe('Today');
    expect(at(9, 23)).toBe('Yesterday');
    expect(at(4, 12)).toBe('6 days ago');
    expect(at(3, 12)).toBe('3/3/2026');
  });

  test('give the last pour, and for a recent one who poured it', () => {
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
    expect(poured(5)).toEqual({ text: '7:05 PM, 2 at Private Event', recent: false });
    expect(poured(46, 9, 22).text).toBe('Yesterday, 2 at Private Event');
    expect(poured(46, 7, 22).text).toBe('3 days ago, 2 at Private Event');
    expect(poured(6)).toEqual({
      text: '4 min ago, 2 at Private Event, by Noor Haddad',
      recent: true,
    });
    expect(poured(10).text).toBe('Just now, 2 at Private Event, by Noor Haddad');
  });
});

describe('the place', () => {
  const place = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
  const always = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Always on this device' });
  beforeEach(() => localStorage.clear());

  test('that is fixed and not offered counts as none', () => {
    expect(fixedPlace()).toBe('');
    fixPlace('event');
    expect(fixedPlace()).toBe('event');
    for (const nonsense of ['{', 'null', '"roof"', '7']) {
      localStorage.setItem('cellar-door:fixed-place', nonsense);
      expect(fixedPlace()).toBe('');
    }
  });

  test('is unchosen for the next member', async () => {
    serve();
    const app = await open();
    await userEvent.click(place('Event'));
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    app.unmount();
    const server = serve();
    await open();
    expect(place('Event').checked).toBe(false);
    await tap('Pour 1');
    await screen.findByText('Please select a location');
    expect(server.made(record)).toEqual([]);
  });

  test('is only chosen by a tap, and stands once on the page', async () => {
    const server = serve();
    await open();
    await userEvent.dblClick(place('Tasting Room'));
    expect(place('Tasting Room').checked).toBe(true);
    expect(screen.getAllByText(/Tasting Room/)).toHaveLength(1);
    expect(server.made(record)).toEqual([]);
  });

  test('that staff fix is set for the next member, until they free it', async () => {
    const server = serve();
    const change = () => screen.getByRole('button', { name: /^Location Change .* Always on this device$/ });
    let app = await open();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await userEvent.click(place('Event'));
    await userEvent.click(always());
    app.unmount();
    app = await open();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(change().textContent).toContain('Event');
    await userEvent.click(change());
    expect(document.activeElement).toBe(place('Event'));
    expect(always().checked).toBe(true);
    // For one member only.
    await userEvent.click(place('Bar'));
    expect(always().checked).toBe(false);
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    expect(server.made(record)[0]?.body).toMatchObject({ location: 'bar' });
    app.unmount();
    app = await open();
    await userEvent.click(change());
    await userEvent.click(always());
    app.unmount();
    await open();
    expect(place('Event').checked).toBe(false);
  });

  test('is chosen in a list where there are many', async () => {
    const places = site.places;
    onTestFinished(() => {
      site.places = places;
    });
    site.places = [...places, { id: 'terrace', name: 'Terrace' }];
    const server = serve();
    await open();
    await userEvent.selectOptions(screen.getByLabelText('Location'), 'Terrace');
    await userEvent.click(always());
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    expect(server.made(record)[0]?.body).toMatchObject({ location: 'terrace' });
    expect(fixedPlace()).toBe('terrace');
  });
});

test('quantity, place and note all go with the one button, which says how many', async () => {
  localStorage.clear();
  const server = serve();
  const app = await open();
  const { request_id } = app.state();
  await userEvent.clear(screen.getByLabelText('Quantity'));
  await userEvent.type(screen.getByLabelText('Quantity'), '3');
  await tap('Pour 3');
  await screen.findByText('Please select a location');
  await userEvent.click(screen.getByRole('radio', { name: 'Bar' }));
  await userEvent.type(screen.getByLabelText(/Notes/), ' Barolo ');
  await tap('Pour 3');
  await screen.findByText('3 pours recorded');
  expect(server.made(record).map((it) => it.body)).toEqual([
    { request_id, customer_id: ada.id, quantity: 3, location: 'bar', notes: 'Barolo' },
  ]);
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

test('staff see where glasses are from, also of those that this device poured since', async () => {
  const server = serve();
  const until = '2026-12-15T00:00:00.000Z';
  const grants = [
    { kind: 'rollover', occasion: null, pours: 2, until },
    { kind: 'celebration', occasion: 'birthday', pours: 1, until },
    { kind: 'period', occasion: null, pours: 4, until },
  ];
  server.answers[bar] = () => ({ ...adaAtBar, grants });
  await open();
  screen.getByText('4 this month, 2 from October until 12/14/2026, 1 for their birthday');
  // The next response is still on its way.
  server.answers[bar] = () => new Promise(() => undefined);
  await tap('Pour 1');
  await screen.findByText('4 this month, 1 from October until 12/14/2026, 1 for their birthday');
});

test('with no glass left: no form, the day they reset, and a way to the next member', async () => {
  const server = serve();
  await open();
  server.answers[record] = () => refusal(409, 'POURS_EXCEEDED', 'Not enough.', { available_pours: 0 });
  server.answers[bar] = () => ({ ...adaAtBar, pours_balance: 0, pours_return_on: '2099-12-21' });
  await tap('Pour 1');
  await screen.findByText('Only 0 pours available in current billing period');
  await screen.findByText('No pours left in this billing period');
  await screen.findByText('New pours on 12/21/2099');
  screen.getByRole('link', { name: 'Scan Next' });
  expect(screen.queryByRole('button', { name: /^Pour/ })).toBeNull();
  expect(screen.queryByLabelText('Quantity')).toBeNull();
  expect(screen.queryByText('1 pour recorded')).toBeNull();
});

test('a pour made minutes ago is marked; after this page’s own, the place is said once, by the result', async () => {
  const last_pour = {
    id: pourId,
    quantity: 1,
    location: 'main_bar',
    created_at: new Date(Date.now() - 90_000).toISOString(),
    recorded_by: 'Noor Haddad',
  };
  serve({ [bar]: () => ({ ...adaAtBar, last_pour }) });
  await open();
  const shown = await screen.findByText('1 min ago, 1 at Main Bar, by Noor Haddad');
  expect(shown.className).toContain('text-warning');
  await tap('Pour 1');
  await screen.findByText('1 pour recorded');
  screen.getByText('Just now');
  expect(screen.queryByText(/Main Bar/)).toBeNull();
});

describe('when the time to undo is over', () => {
  const poured = { quantity: 1, location: 'bar', pour_id: pourId, undo_until: Date.now() - 1 };
  const request_id = '0197b1f0-0000-7000-8000-0000000000e1';

  test('the scanner reopens, if the code was scanned', async () => {
    serve();
    const app = openStaffApp(page, { customer: ada, request_id, poured, scanned: true });
    await waitFor(() => expect(app.path()).toBe('/staff/search'));
  });

  test.each([
    ['opened from the list', { poured }],
    ['undone', { poured: { ...poured, undone: true }, scanned: true }],
    ['in the offline queue', { poured: { ...poured, pour_id: null }, scanned: true }],
  ])('the page stays, %s', async (_, state) => {
    serve();
    const app = openStaffApp(page, { customer: ada, request_id, ...state });
    await screen.findByText('Active');
    expect(app.path()).toBe(page);
  });

  test('a touch prevents it', async () => {
    serve();
    const timers = vi.spyOn(window, 'setTimeout');
    const soon = { ...poured, undo_until: Date.now() + 60_000 };
    const app = openStaffApp(page, { customer: ada, request_id, poured: soon, scanned: true });
    const heading = await screen.findByRole('heading', { name: 'Record Pour' });
    const leaving = () => timers.mock.calls.findLast(([, ms]) => Number(ms) > 40_000 && Number(ms) <= 60_000);
    await waitFor(() => expect(leaving()).toBeDefined());
    const cancelled = vi.spyOn(window, 'clearTimeout');
    await userEvent.click(heading);
    const planned = timers.mock.results[timers.mock.calls.indexOf(leaving()!)]?.value;
    expect(cancelled).toHaveBeenCalledWith(planned);
    expect(app.path()).toBe(page);
  });
});

test('without a network a pour is queued, counts against the balance, and can be undone', async () => {
  const server = serve({ [record]: () => Promise.reject(new TypeError('offline')) });
  const app = await open();
  await tap('Pour 1');
  await screen.findByRole('button', { name: '1 pour waiting' });
  screen.getByRole('img', { name: '6 of 10 pours left' });
  expect(screen.queryByText('Failed to record pour')).toBeNull();
  expect(localStorage.getItem(`cellar-door:pour:${app.state().request_id}`)).toContain(bruno.id);

  await tap('Undo');
  await screen.findByText('1 pour undone');
  expect(screen.queryByRole('button', { name: '1 pour waiting' })).toBeNull();
  // The pour gets through only now: a queue that has sent it meanwhile has nothing left to undo.
  server.answers[record] = () => recorded(6);
  await waitFor(() => expect(server.made(voidIt)).toHaveLength(1));
});

test('a waiting pour that is sent at the moment of Undo is not undone in silence', async () => {
  serve({ [record]: () => Promise.reject(new TypeError('offline')) });
  const app = await open();
  await tap('Pour 1');
  await screen.findByRole('button', { name: '1 pour waiting' });
  // Another tab has sent it, and this page does not know yet.
  localStorage.removeItem(`cellar-door:pour:${app.state().request_id}`);
  await tap('Undo');
  await screen.findByText(
    'This pour is no longer waiting. If it was recorded, you can undo it in the member’s history.',
  );
});

describe("a guest's code", () => {
  const guest_glass_id = '0197b1f0-0000-7000-8000-0000000000f2';

  test("pours the glass that was held for it, and the next pour is the member's own", async () => {
    const server = serve();
    await open({ customer: ada, guest_glass_id }, '1 pour. Check the guest’s ID.');
    // Nothing of the member is asked for, and nothing is shown.
    for (const call of [bar, `GET /api/customers/${ada.id}/palate`]) expect(server.made(call)).toEqual([]);
    for (const about of ['Allergies', 'Last 2 hours', 'Available Pours'])
      expect(screen.queryByText(about)).toBeNull();
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    expect(screen.queryByText('left')).toBeNull();
    await userEvent.click(await screen.findByRole('button', { name: 'Pour Another' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Pour 1' }));
    await waitFor(() => expect(server.made(record)).toHaveLength(2));
    const [forGuest, own] = server.made(record).map(({ body }) => body);
    expect(forGuest).toMatchObject({ customer_id: ada.id, quantity: 1, guest_glass_id });
    expect(own).not.toHaveProperty('guest_glass_id');
  });

  test('is queued with its glass without a network', async () => {
    serve({ [record]: () => Promise.reject(new TypeError('offline')) });
    const app = await open({ customer: ada, guest_glass_id }, '1 pour. Check the guest’s ID.');
    await tap('Pour 1');
    await screen.findByRole('button', { name: '1 pour waiting' });
    expect(localStorage.getItem(`cellar-door:pour:${app.state().request_id}`)).toContain(guest_glass_id);
  });
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
    // One outcome of one act.
    screen.getByText('Pour undone');
    expect(screen.queryByText('Pour recorded successfully!')).toBeNull();
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

describe('glasses within the last two hours', () => {
  const having = (quantity: number) => ({
    ...adaAtBar,
    service: {
      ...adaAtBar.service,
      pours: [{ quantity, created_at: new Date(Date.now() - 60_000).toISOString() }],
    },
  });

  test('are shown, and remind of nothing as long as the pour stays below four', async () => {
    const server = serve({ [bar]: () => having(2) });
    await open();
    await screen.findByText('2 glasses');
    expect(screen.queryByRole('button', { name: 'Offered Water' })).toBeNull();
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    expect(server.made(record)[0]?.body).not.toHaveProperty('offered_water');
  });

  test('remind of water from four on, counting the glasses about to be poured, and hold no pour up', async () => {
    const server = serve({ [bar]: () => having(3) });
    await open();
    await screen.findByText('4 glasses within 2 hours, with this pour');
    await tap('Pour 1');
    await screen.findByText('1 pour recorded');
    expect(server.made(record)[0]?.body).not.toHaveProperty('offered_water');
  });

  test('remind of water when many are poured at once, and one tap notes that it was offered', async () => {
    const server = serve();
    await open();
    expect(screen.queryByRole('button', { name: 'Offered Water' })).toBeNull();
    for (let more = 0; more < 5; more++) await tap('One more');
    await screen.findByText('6 glasses within 2 hours, with this pour');
    await tap('Offered Water');
    await tap('Pour 6');
    await screen.findByText(/recorded$/);
    expect(server.made(record)[0]?.body).toMatchObject({ quantity: 6, offered_water: true });
  });

  test("follow the server's clock on a device that is hours ahead, as does the last pour", async () => {
    const atServer = Date.now();
    const created_at = new Date(atServer - 150_000).toISOString();
    const last_pour = { id: pourId, quantity: 3, location: 'main_bar', created_at, recorded_by: 'Noor' };
    const { service } = having(3);
    vi.useFakeTimers({ now: atServer + 3 * 3_600_000, toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
      noteServerTime(new Date().toUTCString());
    });
    const headers = { date: new Date(atServer).toUTCString() };
    serve({ [bar]: () => Response.json({ ...adaAtBar, service, last_pour }, { headers }) });
    await open();
    await screen.findByText('4 glasses within 2 hours, with this pour');
    screen.getByText('2 min ago, 3 at Main Bar, by Noor');
  });

  test('without a network, are those this device received from the server and those queued on it', async () => {
    queueStore.noteBalance(ada.id, 7);
    queueStore.noteReport(ada.id, { service: having(2).service });
    serve({ [bar]: () => new Promise(() => undefined) });
    const pourOne = async () => {
      await tap('Pour 1');
      await screen.findByRole('button', { name: 'Pour Another' });
    };
    const app = openStaffApp(page, { customer: ada });
    await screen.findByText('2 glasses');
    await waitFor(() => expect(app.state().request_id).toBeTypeOf('string'));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await pourOne();
    await screen.findByText('3 glasses');
    await tap('Pour Another');
    await pourOne();
    await tap('Pour Another');
    await screen.findByText('5 glasses within 2 hours, with this pour');
  });
});

test.each([
  ['open', 'Disputed at the bank'],
  ['lost', 'Taken back by the bank'],
])('a payment whose dispute is %s is marked', async (dispute, mark) => {
  serve({ [bar]: () => ({ ...adaAtBar, dispute }) });
  await open();
  await screen.findByText(mark);
});

test('a celebration is shown before the glass is poured', async () => {
  const anniversary = { kind: 'anniversary', occasion: 'anniversary:1', years: 1, glasses: 1 };
  serve({ [bar]: () => ({ ...adaAtBar, celebrations: [anniversary], hundredth_next: true }) });
  await open();
  await screen.findByText('1 year a member today, 1 pour on the house');
  screen.getByText('The next glass is their 100th');
});
