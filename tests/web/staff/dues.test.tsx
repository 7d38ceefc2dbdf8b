import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ListedMember } from '../../../src/contract/staff/directory.ts';
import type { Dues, DuesEntry } from '../../../src/contract/staff/dues.ts';
import { addDays } from '../../../src/domain/calendar.ts';
import { shortDay } from '../../../src/web/format/dates.ts';
import { venueToday } from '../../../src/web/format/venue-today.ts';
import { queuedPayments } from '../../../src/web/staff/offline-queue/queued-payments.ts';
import { formatDateTime } from '../../../src/web/staff/venue-dates.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import {
  ada,
  adaAtBar,
  adasPage,
  bruno,
  openStaffApp,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

// docs/rules/dues.md.

const asManager = (permissions: string[]) => () => ({ user: { ...bruno, permissions } });

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

describe('a sign-up that is paid at the till', () => {
  const SIGN_UP = 'POST /api/bar-sign-ups';
  const tier = (tier_name: string, display_name: string, monthly_price: number) => ({
    ...{ tier_name, display_name, monthly_price, yearly_price: null, monthly_pours: 4, description: '' },
    ...{ is_active: true, is_featured: false, people: 1, guests: 0, rollover_glasses: 0 },
  });

  async function choose() {
    const server = stubStaffServer({
      'GET /api/session': asManager(['manage_members']),
      'POST /api/bar-sign-up-search': () => ({ person: null }),
      'GET /api/tiers': () => [tier('select', 'Select', 39), tier('premier', 'Premier', 69)],
      [SIGN_UP]: () => ({ user_id: ada.id, application_id: ada.id, customer_id: ada.id, link: null }),
    });
    openStaffApp('/staff/members/new');
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Email'), 'ada@demo.test');
    await user.type(screen.getByLabelText('First Name'), 'Ada');
    await user.type(screen.getByLabelText('Last Name'), 'Vine');
    await user.click(screen.getByRole('button', { name: 'Choose Membership' }));
    await user.click(await screen.findByRole('radio', { name: /Paid at the till/ }));
    await user.type(screen.getByLabelText('Toast Reference Number *'), 'T-1');
    const amount = screen.getByLabelText<HTMLInputElement>('Amount (USD)');
    const create = () => user.click(screen.getByRole('button', { name: 'Create Membership' }));
    return { server, user, amount, create };
  }

  test('records a month at the price of the chosen tier', async () => {
    const { server, user, amount, create } = await choose();
    expect(amount.value).toBe('39');
    await user.click(screen.getByRole('radio', { name: /Premier/ }));
    await waitFor(() => expect(amount.value).toBe('69'));
    await create();
    await screen.findByText('Ada is a member');
    expect(server.made(SIGN_UP)[0]?.body).toMatchObject({
      tier: 'premier',
      toast_reference_number: 'T-1',
      months: 1,
      amount_cents: 6900,
    });
  });

  test('sends a day and a reason, and no payment, when it is on the house', async () => {
    const { server, user, create } = await choose();
    await user.click(screen.getByRole('radio', { name: /On the house/ }));
    await create();
    expect(await screen.findByText('Please enter a reason.')).toBeTruthy();
    await user.type(screen.getByLabelText('Until'), '2027-06-30');
    await user.type(screen.getByLabelText('Reason'), 'Our neighbor');
    await create();
    await screen.findByText('Ada is a member');
    const [request] = server.made(SIGN_UP);
    expect(request?.body).toMatchObject({ house: { ends_on: '2027-06-30', reason: 'Our neighbor' } });
    expect(request?.body).not.toHaveProperty('toast_reference_number');
  });

  test('sends nothing of it when it is paid by phone after all', async () => {
    const { server, user, amount } = await choose();
    await user.clear(amount);
    await user.type(amount, 'forty');
    await user.click(screen.getByRole('radio', { name: /Pay on their phone/ }));
    await user.click(screen.getByRole('button', { name: 'Show the Code' }));
    await waitFor(() => expect(server.made(SIGN_UP)).toHaveLength(1));
    expect(server.made(SIGN_UP)[0]?.body).not.toHaveProperty('amount_cents');
  });
});

test('a former member’s page leads to Add Member, on the house', async () => {
  const former = { ...adasPage.customer, status: 'inactive' };
  const { user_id } = former;
  stubStaffServer({
    'GET /api/session': asManager(['manage_members']),
    [`GET /api/customers/${ada.id}`]: () => ({
      ...{ ...adasPage, customer: former, has_active_membership: false, standing: 'inactive' },
      available_pours: 0,
    }),
    'POST /api/bar-sign-up-search': () => ({
      person: {
        user_id,
        first_name: 'Ada',
        last_name: 'Vine',
        email: 'ada@demo.test',
        known_as: 'former',
        customer_id: ada.id,
        loses_password: false,
      },
    }),
    'GET /api/tiers': () => [
      {
        tier_name: 'select',
        display_name: 'Select',
        monthly_price: 39,
        monthly_pours: 4,
        description: '',
        is_active: true,
        is_featured: false,
        people: 1,
        guests: 0,
        rollover_glasses: 0,
      },
    ],
  });
  openStaffApp(`/staff/customers/${ada.id}`);
  await userEvent.click(await screen.findByRole('link', { name: 'On the House' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Choose Membership' }));
  expect(await screen.findByRole('radio', { name: /On the house/ })).toHaveProperty('checked', true);
  screen.getByLabelText('Reason');
});

const today = venueToday();
const owed = { state: 'overdue', paid_until: '2026-07-15', grace_until: '2026-07-22', price_cents: 6900 };
const record = `POST /api/customers/${ada.id}/dues`;
const paid = (paid_until: string) => ({
  ...{ state: 'paid', paid_until, grace_until: '2026-08-22', price_cents: 6900 },
  ...{ currency: 'usd', months_begin: [], entries: [] },
});

describe('at the bar', () => {
  function open(dues: object, answers: Record<string, Answer> = {}) {
    const server = stubStaffServer({
      [`GET /api/customers/${ada.id}/bar`]: () => ({ ...adaAtBar, standing: 'venue', dues }),
      ...answers,
    });
    openStaffApp(`/staff/customers/${ada.id}/add-pour`, { customer: ada });
    return server;
  }
  const opens = () => screen.findByRole('button', { name: 'Record Payment' });

  async function fill() {
    const user = userEvent.setup();
    await user.click(await opens());
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Toast Reference Number *'), 'R-7');
    const send = (name = 'Record Payment') => user.click(dialog.getByRole('button', { name }));
    return { user, dialog, send };
  }

  test.each([
    ['due', 'Pays tonight: $69'],
    ['overdue', 'Overdue since 7/15/2026: $69'],
  ])('%s: %s', async (state, text) => {
    open({ ...owed, state });
    await screen.findByText(text);
    await opens();
  });

  test('a paid month asks for nothing', async () => {
    open({ ...owed, state: 'paid' });
    await screen.findByText('Active, billed here');
    expect(screen.queryByRole('button', { name: 'Record Payment' })).toBeNull();
  });

  describe('without an answer', () => {
    afterEach(() => localStorage.clear());
    const unanswered = () => {
      throw new TypeError('no network');
    };

    test('a payment is kept on the device, and counts once, for its day, when the server is back', async () => {
      const server = open(owed, { [record]: unanswered });
      const { send } = await fill();
      await send();
      await screen.findByText('Payment kept on this device');
      await screen.findByText('1 payment waiting');
      expect(screen.queryByRole('dialog')).toBeNull();
      server.answers[record] = () => Response.json(paid('2026-08-15'), { status: 201 });
      window.dispatchEvent(new Event('online'));
      await screen.findByText('Payment recorded');
      expect(screen.queryByText('1 payment waiting')).toBeNull();
      const [first, ...later] = server.made(record).map(({ body }) => body);
      expect(later.at(-1)).toEqual({ ...first, paid_on: venueToday() });
    });

    test('a payment that is refused then stays with the reason, until dismissed', async () => {
      const server = open(owed, { [record]: unanswered });
      const { user, send } = await fill();
      await send();
      await screen.findByText('1 payment waiting');
      server.answers[record] = () =>
        refusal(409, 'DUES_REFUSED', 'The membership ends.', { reason: 'ending' });
      window.dispatchEvent(new Event('online'));
      await user.click(await screen.findByRole('button', { name: /^Not recorded: Ada/ }));
      const dialog = within(screen.getByRole('dialog', { name: 'On This Device' }));
      expect(dialog.getAllByText(/^The membership ends before that/).length).toBeGreaterThan(0);
      dialog.getByText(/^\$69\.00, R-7, /);
      await user.click(dialog.getByRole('button', { name: /^Dismiss the payment for Ada/ }));
      expect(screen.queryByText(/^Not recorded/)).toBeNull();
    });
  });

  test('a payment is recorded, and the card and the balance are loaded again', async () => {
    const server = open(owed, { [record]: () => Response.json(paid('2026-08-15'), { status: 201 }) });
    const { send } = await fill();
    server.answers[`GET /api/customers/${ada.id}/bar`] = () => ({
      ...{ ...adaAtBar, standing: 'venue', pours_balance: 9 },
      dues: { ...owed, state: 'paid', paid_until: '2026-08-15' },
    });
    await send();
    await screen.findByText('Ada is paid until 8/15/2026.');
    await screen.findByText('Active, billed here');
    await screen.findByText('9');
    expect(server.made(record)).toMatchObject([
      {
        body: {
          ...{ reference: 'R-7', months: 1, method: 'cash', amount_cents: 6900 },
          paid_until: '2026-07-15',
        },
      },
    ]);
  });

  test('a payment received on an earlier day is recorded with it, never with a later one', async () => {
    const server = open(owed, { [record]: () => Response.json(paid('2026-08-15'), { status: 201 }) });
    const { user, dialog, send } = await fill();
    const day = dialog.getByLabelText<HTMLInputElement>('Received on');
    const today = day.value;
    expect(day.max).toBe(today);
    await user.clear(day);
    await user.type(day, addDays(today, 1));
    await send();
    await dialog.findByText('Please choose a day up to today.');
    expect(server.made(record)).toHaveLength(0);
    await user.clear(day);
    await user.type(day, addDays(today, -3));
    await send();
    await screen.findByText('Payment recorded');
    expect(server.made(record)[0]?.body.paid_on).toBe(addDays(today, -3));
  });

  test('without room on the device to keep a payment, repeated tries send one request', async () => {
    const save = vi.spyOn(queuedPayments, 'save').mockReturnValue(false);
    let lost = true;
    const server = open(owed, {
      [record]: () => {
        if (!lost) return Response.json(paid('2026-08-15'), { status: 201 });
        lost = false;
        throw new TypeError('Failed to fetch');
      },
    });
    const { send } = await fill();
    await send();
    await screen.findByText(/it counts once/);
    await send();
    await screen.findByText('Payment recorded');
    const ids = server.made(record).map(({ body }) => body.request_id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    save.mockRestore();
  });

  test('a payment that someone else recorded meanwhile is named, and this one can be recorded too', async () => {
    const server = open(owed, {
      [record]: ({ body }) =>
        body.paid_until === '2026-07-15'
          ? refusal(409, 'DUES_CHANGED', 'Changed', {
              ...{ paid_until: '2026-08-15', by: 'Noor', at: '2026-07-20T20:05:00.000Z' },
              ...{ amount_cents: 6900, months: 1 },
            })
          : Response.json(paid('2026-09-15'), { status: 201 }),
    });
    const { dialog, send } = await fill();
    await send();
    await dialog.findByText(`Noor recorded $69.00 for 1 month, ${formatDateTime('2026-07-20T20:05:00Z')}`);
    dialog.getByText(/^Ada is now paid until 8\/15\/2026\./);
    await send('Record This One Too');
    await screen.findByText('Ada is paid until 9/15/2026.');
    expect(server.made(record).at(-1)?.body).toMatchObject({ paid_until: '2026-08-15', reference: 'R-7' });
  });

  test('a payment by bank that is on its way is named, and this one can be recorded too', async () => {
    const bank_payment = {
      tier: 'select',
      months: 12,
      amount_cents: 39_000,
      since: `${today}T20:00:00.000Z`,
    };
    const text = new RegExp(
      `^A bank payment of \\$390 for a year has been on its way since ${shortDay(today, today)}$`,
    );
    const server = open(owed, {
      [`GET /api/customers/${ada.id}/bar`]: () => ({
        ...{ ...adaAtBar, standing: 'venue', dues: owed, bank_payment },
      }),
      [record]: ({ body }) =>
        body.beside_bank_payment
          ? Response.json(paid('2026-08-15'), { status: 201 })
          : refusal(409, 'BANK_PAYMENT_PENDING', 'On its way', bank_payment),
    });
    await screen.findByText(text);
    const { dialog, send } = await fill();
    await send();
    await dialog.findByText(text);
    await send('Record This One Too');
    await screen.findByText('Payment recorded');
    expect(server.made(record)).toHaveLength(2);
  });

  test('a payment is recorded on a shared tablet too', async () => {
    const tablet = { name: 'Bar Left', idle_minutes: 2 };
    const server = open(owed, {
      'GET /api/session': () => ({ user: { ...bruno, permissions: [] }, tablet }),
      'GET /api/bar-device': () => ({ device: { ...tablet, people: [] } }),
      [record]: () => Response.json(paid('2026-08-15'), { status: 201 }),
    });
    const { send } = await fill();
    await send();
    await screen.findByText('Payment recorded');
    expect(server.made(record)).toHaveLength(1);
  });

  test('a refusal says why', async () => {
    open(owed, { [record]: () => refusal(409, 'DUES_REFUSED', 'No', { reason: 'not_active' }) });
    const { dialog, send } = await fill();
    await send();
    await dialog.findByText('There is no active membership.');
  });

  test('the partner of a household pays for the holder', async () => {
    const holder = '0197b1f0-0000-7000-8000-0000000000c2';
    const ofHolder = `POST /api/customers/${holder}/dues`;
    const server = open(owed, {
      [`GET /api/customers/${ada.id}/bar`]: () => ({
        ...{ ...adaAtBar, standing: 'venue', dues: owed },
        household: { role: 'partner', with: 'Max Vine', customer_id: holder },
      }),
      [ofHolder]: () => Response.json(paid('2026-08-15'), { status: 201 }),
    });
    const { send } = await fill();
    await send();
    await screen.findByText('Max Vine is paid until 8/15/2026.');
    expect(server.made(ofHolder)).toHaveLength(1);
  });
});

describe('on the list of members', () => {
  const COUNT = 'POST /api/dues/start';
  const listed = (place: number): ListedMember => ({
    ...{ id: `0197b1f0-0000-7000-8000-${String(place).padStart(12, '0')}`, user_id: ada.id },
    ...{ first_name: 'Member', last_name: `No ${place}`, email: null, phone: null, tier: 'select' },
    ...{ tier_label: 'Select', standing: 'venue', payment: 'venue', paid_until: null },
    ...{ member_since: '2024-03-01', last_visit: null, pours_balance: 4, total_pours_lifetime: 0 },
    former: false,
  });
  const pages = [1, 2, 3].map((page) => ({
    members: Array.from({ length: 50 }, (_, nth) => listed(page * 100 + nth)),
    next_cursor: page < 3 ? `after-${page}` : null,
  }));
  const pageOf = ({ body }: { body: Record<string, unknown> }) =>
    pages[pages.findIndex(({ next_cursor }) => next_cursor === body.cursor) + 1] ?? pages[0];

  function open(permissions: string[], count: Answer, at = '/staff/members?dues=not_counted') {
    const server = stubStaffServer({
      'GET /api/session': asManager(permissions),
      'POST /api/directory': (request) => (request.body.cursor ? pageOf(request) : pages[0]),
      'POST /api/directory/count': () => ({ count: 150, more: false }),
      [COUNT]: count,
    });
    openStaffApp(at);
    return server;
  }

  test('everyone not counted is counted in batches, and the summary names who was skipped, and why', async () => {
    const server = open(['manage_members'], ({ body }) => {
      const ids = body.customer_ids as string[];
      const skipped = ids.slice(0, 1).map((customer_id) => ({ customer_id, reason: 'too_early' }));
      return { counted: ids.length - 1, skipped };
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Count from...' }));
    await user.click(screen.getByRole('button', { name: 'Start Counting' }));
    await screen.findByText('148 memberships are counted. 2 skipped:');
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual(
      expect.arrayContaining(['Member No 100: That month is over.', 'Member No 300: That month is over.']),
    );
    const sent = server.made(COUNT).map(({ body }) => (body.customer_ids as string[]).length);
    expect(sent).toEqual([100, 50]);
    expect(server.made('POST /api/directory')[0]?.body).toMatchObject({ dues: 'not_counted' });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a lost connection keeps what was counted, and offers the rest', async () => {
    open(['manage_members'], () => {
      throw new TypeError('Failed to fetch');
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Count from...' }));
    await user.click(screen.getByRole('button', { name: 'Start Counting' }));
    await screen.findByText(/Those counted so far stay counted\. Please try again for the others\.$/);
    screen.getByRole('button', { name: 'Start Counting' });
  });

  test.each([
    ['without manage_members', [], '/staff/members?dues=not_counted'],
    ['without the filter', ['manage_members'], '/staff/members'],
  ])('%s there is nothing to count', async (_, permissions, at) => {
    open(permissions, () => ({}), at);
    await screen.findByText('150 people');
    await screen.findByText('No 100, Member');
    expect(screen.queryByRole('button', { name: 'Count from...' })).toBeNull();
  });

  test('the filter is part of the URL, and sent', async () => {
    const server = open(['manage_members'], () => ({}), '/staff/members');
    const user = userEvent.setup();
    await user.selectOptions(await screen.findByLabelText('Payments at the venue'), 'Overdue');
    await waitFor(() =>
      expect(server.made('POST /api/directory').at(-1)?.body).toMatchObject({ dues: 'overdue' }),
    );
  });
});

describe('on the member’s page', () => {
  const entry = (place: number, more: Partial<DuesEntry> = {}): DuesEntry => ({
    id: `0197b1f0-0000-7000-8000-0000000000e${place}`,
    ...{ kind: 'payment', reference: `R-${place}`, amount_cents: 6900, months: 1, method: 'card_machine' },
    paid_on: `2026-0${place}-15`,
    paid_from: `2026-0${place}-15`,
    paid_until: `2026-0${place + 1}-15`,
    tier: null,
    recorded_by: 'Noor Haddad',
    recorded_at: `2026-0${place}-15T20:00:00.000Z`,
    voided: null,
    ...more,
  });
  const dues = (more: Partial<Dues> = {}): Dues => ({
    ...{
      state: 'paid',
      paid_until: '2026-07-15',
      grace_until: '2026-07-22',
      price_cents: 6900,
      year_cents: null,
    },
    ...{ currency: 'usd', months_begin: ['2026-06-15', '2026-07-15', '2026-08-15'], entries: [entry(6)] },
    pending_tier: null,
    tiers_up: [],
    by_card_from: null,
    ...more,
  });
  const none: Partial<Dues> = {
    ...{ state: 'not_counted', paid_until: null, grace_until: null, entries: [] },
  };
  const read = `GET /api/customers/${ada.id}/dues`;

  async function open(shown: Dues, permissions: string[] = [], answers: Record<string, Answer> = {}) {
    const server = stubStaffServer({
      'GET /api/session': asManager(permissions),
      [`GET /api/customers/${ada.id}`]: () => adasPage,
      [read]: () => shown,
      ...answers,
    });
    openStaffApp(`/staff/customers/${ada.id}`);
    const heading = await screen.findByRole('heading', { name: 'Payments at the Venue' });
    return { server, card: within(heading.closest('section') as HTMLElement), user: userEvent.setup() };
  }

  test.each([
    ['paid', 'Paid', 'Until 7/15/2026', 'Billed at the venue. Paid until 7/15/2026'],
    ['due', 'Due', '$69 by 7/15/2026', 'Billed at the venue. Due: $69 by 7/15/2026'],
    [
      'overdue',
      'Overdue',
      '$69 since 7/15/2026. Unpaid, the membership ends on 7/22/2026',
      'Billed at the venue. Overdue since 7/15/2026: $69',
    ],
  ] as const)('%s', async (state, label, note, status) => {
    const { card } = await open(dues({ state }));
    card.getByText(label);
    card.getByText(note);
    screen.getByText(status);
  });

  test('the status says that a payment by bank is on its way', async () => {
    const bank_payment = { tier: 'elite', months: 7, amount_cents: 17_500, since: `${today}T20:00:00.000Z` };
    await open(dues(), [], { [`GET /api/customers/${ada.id}`]: () => ({ ...adasPage, bank_payment }) });
    screen.getByText(/^A bank payment of \$175 for a dearer tier has been on its way since /);
  });

  test('lists the payments: date, amount, months, way, reference, by whom, and why one was voided', async () => {
    const voided = { by: 'Jonas Weber', at: '2026-06-16T20:00:00.000Z', reason: 'Bounced' };
    const { card } = await open(dues({ entries: [entry(6, { voided }), entry(5)] }));
    const [first, second] = card.getAllByRole('listitem').map((row) => row.textContent);
    expect(first).toMatch(
      /^6\/15\/20261 month, until 7\/15\/2026Card machineR-6By Noor HaddadVoided by Jonas Weber, .*“Bounced”\$69\.00$/,
    );
    expect(second).toMatch(/^5\/15\/2026.*R-5.*\$69\.00$/);
    expect(card.getByText('6/15/2026').className).toContain('line-through');
    expect(card.queryByRole('button', { name: /^Void/ })).toBeNull();
  });

  test('the difference to a dearer tier says what it is, and is refunded rather than voided', async () => {
    const paid = {
      kind: 'difference',
      tier: 'premier',
      months: 7,
      method: 'online',
      recorded_by: null,
    } as const;
    const { card } = await open(dues({ entries: [entry(6, paid)] }), ['manage_money']);
    expect(card.getByRole('listitem').textContent).toBe(
      '6/15/2026The difference to Premier for 7 months, until 7/15/2026OnlineR-6$69.00',
    );
  });

  test('a pause has rows of its own, and is set and ended where staff manage members', async () => {
    const pause = { kind: 'pause', amount_cents: 0, method: null, reference: null } as const;
    const shown = dues({
      entries: [
        entry(8, { ...pause, months: -1, paid_from: '2026-07-15', paid_until: '2026-08-15' }),
        entry(7, { ...pause, months: 2, paid_until: '2026-09-15', recorded_by: null }),
        entry(6),
      ],
    });
    const { card, server, user } = await open(shown, ['manage_members'], {
      [`POST /api/customers/${ada.id}/pause`]: () => ({ pause: null }),
    });
    const rows = card.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows.slice(0, 2)).toEqual([
      'Back from the pause: it ended on 8/15/2026By Noor Haddad',
      'Paused from 7/15/2026 to 9/15/2026By the member',
    ]);
    await user.click(await screen.findByRole('button', { name: 'Pause Membership' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Pause Membership' }));
    question.getByText(/what is paid lasts as much longer/);
    await user.click(question.getByRole('button', { name: 'Pause' }));
    await screen.findByText('Membership paused');
    expect(server.made(`POST /api/customers/${ada.id}/pause`)[0]?.body).toEqual({ months: 1 });
  });

  test('another tier is set from the first unpaid day, and taken back', async () => {
    const tier = (tier_name: string, display_name: string, monthly_price: number) => ({
      ...{ tier_name, display_name, monthly_price, monthly_pours: 4, description: '' },
      ...{ is_active: true, is_featured: false, people: 1, guests: 0, rollover_glasses: 0 },
    });
    const set = `POST /api/customers/${ada.id}/tier`;
    const keep = `POST /api/customers/${ada.id}/tier/keep`;
    const pending_tier = { tier: 'elite', from: '2026-07-15', price_cents: 9900 };
    const { card, server, user } = await open(dues(), ['manage_members'], {
      'GET /api/tiers': () => [tier(adasPage.customer.tier, 'Hers', 69), tier('elite', 'Elite', 99)],
      [set]: () => ({ pending_tier }),
      [keep]: () => ({ pending_tier: null }),
    });
    await user.click(card.getByRole('button', { name: 'Change Tier' }));
    const question = within(await screen.findByRole('dialog', { name: 'Change Tier' }));
    question.getByText(/begins on 7\/15\/2026/);
    expect((await question.findAllByRole('option')).map((it) => it.textContent)).toEqual([
      'Elite, $99 a month',
    ]);
    server.answers[read] = () => dues({ pending_tier, price_cents: 9900 });
    await user.click(question.getByRole('button', { name: 'Change Tier' }));
    await card.findByText('Elite from 7/15/2026, $99 a month');
    expect(server.made(set)[0]?.body).toEqual({ tier_name: 'elite' });
    expect(card.queryByRole('button', { name: 'Change Tier' })).toBeNull();
    server.answers[read] = () => dues();
    await user.click(card.getByRole('button', { name: 'Take Back' }));
    await screen.findByText('Tier change canceled');
    await card.findByRole('button', { name: 'Change Tier' });
    expect(server.made(keep)).toHaveLength(1);
  });

  describe('within a year that is paid', () => {
    const difference = `POST /api/customers/${ada.id}/dues/difference`;
    const tier = (tier_name: string, display_name: string, monthly_price: number) => ({
      ...{ tier_name, display_name, monthly_price, yearly_price: null, monthly_pours: 4, description: '' },
      ...{ is_active: true, is_featured: false, people: 1, guests: 0, rollover_glasses: 0 },
    });
    const year = (more: Partial<Dues> = {}) =>
      dues({
        entries: [entry(6, { months: 12, paid_until: '2027-06-15' })],
        paid_until: '2027-06-15',
        tiers_up: [{ tier: 'elite', months: 7, amount_cents: 17_500 }],
        ...more,
      });

    async function openDialog(permissions: string[], answers: Record<string, Answer> = {}) {
      const { card, server, user } = await open(year(), permissions, {
        'GET /api/tiers': () => [
          tier(adasPage.customer.tier, 'Hers', 69),
          tier('elite', 'Elite', 99),
          tier('small', 'Small', 19),
        ],
        [difference]: () => Response.json(year({ tiers_up: [] }), { status: 201 }),
        [`POST /api/customers/${ada.id}/tier`]: () => ({ pending_tier: null }),
        ...answers,
      });
      await user.click(card.getByRole('button', { name: 'Change Tier' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Change Tier' }));
      const send = async () => user.click(await dialog.findByRole('button', { name: 'Record $175.00' }));
      const enter = (text: string) => user.type(dialog.getByLabelText('Toast Reference Number *'), text);
      return { card, server, user, dialog, send, enter };
    }

    test('a dearer tier is taken at once, for the difference, with the reference alone filled in', async () => {
      const { server, dialog, send, enter } = await openDialog(['manage_members']);
      await dialog.findByRole('radio', { name: /^Now: \$175\.00/, checked: true });
      dialog.getByText('The difference for the 7 months left of the year');
      await send();
      await dialog.findByText('Toast reference number is required');
      await enter('D-7');
      await send();
      await screen.findByText('Ada has Elite now.');
      const [request] = server.made(difference);
      expect(request?.body).toEqual({
        request_id: request?.body.request_id,
        ...{ tier: 'elite', reference: 'D-7', amount_cents: 17_500, method: 'card_machine' },
        ...{ from_tier: adasPage.customer.tier, paid_until: '2027-06-15' },
      });
    });

    test('it can still begin with the first unpaid day, and a smaller tier only does', async () => {
      const { server, user, dialog } = await openDialog(['manage_members']);
      await user.click(await dialog.findByRole('radio', { name: /^From 6\/15\/2027/ }));
      expect(dialog.queryByLabelText('Toast Reference Number *')).toBeNull();
      await user.selectOptions(dialog.getByLabelText('New tier'), 'Small, $19 a month');
      expect(dialog.queryByRole('radio')).toBeNull();
      await user.click(dialog.getByRole('button', { name: 'Change Tier' }));
      await screen.findByText('Tier change scheduled');
      expect(server.made(`POST /api/customers/${ada.id}/tier`)[0]?.body).toEqual({ tier_name: 'small' });
      expect(server.made(difference)).toEqual([]);
    });

    test('staff who only take payments are offered the dearer tiers alone', async () => {
      const { server, dialog, send, enter } = await openDialog([]);
      await dialog.findByText('$175.00, the difference for the 7 months left of the year.');
      expect(dialog.getAllByRole('option', { name: /a month/ })).toHaveLength(1);
      await enter('D-7');
      await send();
      await screen.findByText('Ada has Elite now.');
      expect(server.made(difference)).toHaveLength(1);
    });

    test('what someone else recorded meanwhile is named, and nothing more can be recorded', async () => {
      const { dialog, send, enter } = await openDialog([], {
        [difference]: () =>
          refusal(409, 'DUES_CHANGED', 'Changed', {
            ...{ paid_until: '2027-06-15', by: 'Noor', at: '2026-07-20T20:05:00.000Z' },
            ...{ amount_cents: 17_500, months: 7 },
          }),
      });
      await dialog.findByText(/^\$175/);
      await enter('D-7');
      await send();
      await dialog.findByText(
        `Noor recorded $175.00 for 7 months, ${formatDateTime('2026-07-20T20:05:00Z')}`,
      );
      expect(dialog.getByRole('button', { name: 'Record $175.00' })).toHaveProperty('disabled', true);
    });

    test('a refusal says why', async () => {
      const { dialog, send, enter } = await openDialog([], {
        [difference]: () => refusal(409, 'TIER_CHANGE_REFUSED', 'No', { reason: 'change_under_way' }),
      });
      await dialog.findByText(/^\$175/);
      await enter('D-7');
      await send();
      await dialog.findByText(/^The member pays online right now/);
    });

    test('a difference at the till is voided, and the tier before comes back', async () => {
      const paid = entry(7, { kind: 'difference', tier: 'elite', months: 7, amount_cents: 17_500 });
      const path = `POST /api/dues/${paid.id}/void`;
      const { card, server, user } = await open(year({ entries: [paid] }), ['manage_money'], {
        [path]: () => refusal(409, 'TIER_CHANGE_REFUSED', 'No', { reason: 'change_pending' }),
      });
      await user.click(card.getByRole('button', { name: 'Void $175.00, 7/15/2026' }));
      const dialog = within(screen.getByRole('dialog'));
      dialog.getByText(/The tier before comes back with the next month/);
      await user.type(dialog.getByLabelText('Reason'), 'Bounced');
      await user.click(dialog.getByRole('button', { name: 'Void Payment' }));
      await dialog.findByText('Another tier is about to start. Take it back first.');
      server.answers[path] = () => year();
      await user.click(dialog.getByRole('button', { name: 'Void Payment' }));
      await screen.findByText('Payment voided');
    });
  });

  test('the latest three payments stand above the history, and all at a press', async () => {
    const { card, user } = await open(dues({ entries: [6, 5, 4, 3].map((place) => entry(place)) }));
    expect(card.getAllByRole('listitem')).toHaveLength(3);
    await user.click(card.getByRole('button', { name: 'Show All' }));
    expect(card.getAllByRole('listitem')).toHaveLength(4);
  });

  test('a payment is recorded as the last one was made', async () => {
    const { card, server, user } = await open(dues(), [], {
      [record]: () => Response.json(dues({ paid_until: '2026-08-15' }), { status: 201 }),
    });
    await user.click(card.getByRole('button', { name: 'Record Payment' }));
    const dialog = within(screen.getByRole('dialog'));
    dialog.getByText('Ada is paid until 7/15/2026.');
    await user.type(dialog.getByLabelText('Toast Reference Number *'), 'R-7');
    await user.click(dialog.getByRole('button', { name: 'Record Payment' }));
    await screen.findByText('Ada is paid until 8/15/2026.');
    expect(server.made(record)[0]?.body).toMatchObject({ method: 'card_machine' });
    await waitFor(() => expect(server.made(read).length).toBeGreaterThan(1));
  });

  test('twelve months are recorded at the price of a year, which says what it saves', async () => {
    const { card, server, user } = await open(dues({ year_cents: 69_000 }), [], {
      [record]: () => Response.json(dues({ paid_until: '2027-07-15' }), { status: 201 }),
    });
    await user.click(card.getByRole('button', { name: 'Record Payment' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Toast Reference Number *'), 'R-7');
    await user.selectOptions(dialog.getByLabelText('Paid for'), '6 months');
    expect(dialog.queryByText(/price of a year/)).toBeNull();
    await user.selectOptions(dialog.getByLabelText('Paid for'), '12 months');
    dialog.getByText('The price of a year: 2 months free.');
    await user.click(dialog.getByRole('button', { name: 'Record Payment' }));
    await screen.findByText('Payment recorded');
    expect(server.made(record)[0]?.body).toMatchObject({ months: 12, amount_cents: 69_000 });
  });

  test('staff who manage money void a payment with a reason', async () => {
    const path = `POST /api/dues/${entry(6).id}/void`;
    const { card, server, user } = await open(dues(), ['manage_money'], {
      [path]: () => dues({ state: 'overdue' }),
    });
    await user.click(card.getByRole('button', { name: 'Void $69.00, 6/15/2026' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Void Payment' }));
    await dialog.findByText('Please enter a reason.');
    await user.type(dialog.getByLabelText('Reason'), 'Bounced');
    await user.click(dialog.getByRole('button', { name: 'Void Payment' }));
    await screen.findByText('Payment voided');
    expect(server.made(path)).toMatchObject([{ body: { reason: 'Bounced' } }]);
  });

  test('a payment can be voided after the membership has ended', async () => {
    const ended = dues({ state: null, paid_until: null, grace_until: null, months_begin: [] });
    const { card } = await open(ended, ['manage_money']);
    card.getByRole('button', { name: 'Void $69.00, 6/15/2026' });
    expect(card.queryByRole('button', { name: 'Record Payment' })).toBeNull();
  });

  test('a membership that is not counted says so, and is counted from the next month', async () => {
    const count = 'POST /api/dues/start';
    const { card, server, user } = await open(dues(none), ['manage_members'], {
      [count]: () => ({ counted: 1, skipped: [] }),
    });
    card.getByText('Not counted');
    card.getByText(/^No payments recorded yet\./);
    screen.getByText('Billed at the venue');
    await user.click(card.getByRole('button', { name: 'Count from...' }));
    const dialog = within(screen.getByRole('dialog'));
    expect(
      within(dialog.getByLabelText('First unpaid day'))
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['6/15/2026', '7/15/2026', '8/15/2026']);
    await user.click(dialog.getByRole('button', { name: 'Start Counting' }));
    await screen.findByText('Counted from 7/15/2026');
    expect(server.made(count)).toMatchObject([{ body: { customer_ids: [ada.id], day: '2026-07-15' } }]);
  });

  test('a membership that cannot be counted says why', async () => {
    const { card, user } = await open(dues(none), ['manage_members'], {
      'POST /api/dues/start': () => ({ counted: 0, skipped: [{ customer_id: ada.id, reason: 'counted' }] }),
    });
    await user.click(card.getByRole('button', { name: 'Count from...' }));
    await user.click(screen.getByRole('button', { name: 'Start Counting' }));
    await screen.findByText('Payments are already recorded.');
  });

  test('only staff who manage members count a membership, and only until a payment is recorded', async () => {
    const { card } = await open(dues(none));
    expect(card.queryByRole('button', { name: 'Count from...' })).toBeNull();
    cleanup();
    const counted = await open(dues(), ['manage_members']);
    expect(counted.card.queryByRole('button', { name: 'Count from...' })).toBeNull();
  });

  test('a member who never paid at the venue has no such card', async () => {
    stubStaffServer({ [`GET /api/customers/${ada.id}`]: () => ({ ...adasPage, standing: 'active' }) });
    openStaffApp(`/staff/customers/${ada.id}`);
    await screen.findByRole('heading', { name: 'Pour History' });
    await screen.findByText('No pours recorded yet');
    expect(screen.queryByRole('heading', { name: 'Payments at the Venue' })).toBeNull();
  });
});
