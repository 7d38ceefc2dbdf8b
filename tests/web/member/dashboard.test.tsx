import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { DuesNow } from '../../../src/contract/members.ts';
import { addDays, localDate } from '../../../src/domain/calendar.ts';
import { site } from '../../../src/web/api/site.ts';
import { dateOfDay } from '../../../src/web/format/dates.ts';
import {
  application,
  availablePours,
  customer,
  left,
  me,
  openApp,
  refusal,
  refuse,
  stubServer,
} from '../../support/web/member-app.tsx';

const verify = 'POST /api/functions/verify-subscription-status';
const mine = 'GET /api/customers/own';
const href = (name: string) =>
  within(screen.getByRole('main')).getByRole('link', { name }).getAttribute('href');

test('an active member: greeting, tier, pours, member since, and the links', async () => {
  stubServer({ [mine]: { ...me, customer } });
  openApp('/dashboard');
  await screen.findByText('3 used this billing period');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(
    /^Good\s(morning|afternoon|evening), Ada$/,
  );
  screen.getByText('Resets on your monthly billing date');
  screen.getByText('Member since March 2024');
  expect(screen.getAllByText('Premier').length).toBeGreaterThan(0);
  expect(screen.getByRole('progressbar', { name: 'Pours remaining' }).getAttribute('aria-valuenow')).toBe(
    '7',
  );
  expect(href('Show QR Code')).toBe('/qr-code');
  expect(href('View History')).toBe('/pours');
  expect(href('Account')).toBe('/account');
});

test('where glasses are from is said by the phone’s calendar; not where all are the month’s own', async () => {
  const until = new Date('2026-12-15T00:00:00').toISOString();
  const grants = [left(2, { kind: 'rollover', until }), left(5, { until })];
  stubServer({ [mine]: { ...me, customer, pours: { ...availablePours, grants } } });
  openApp('/dashboard');
  await screen.findByText('5 this month, 2 from October until 12/14/2026');
  cleanup();
  stubServer({ [mine]: { ...me, customer } });
  openApp('/dashboard');
  await screen.findByText('3 used this billing period');
  expect(screen.queryByText(/this month/)).toBeNull();
});

test('a member whose account was imported agrees to the current words before the dashboard shows', async () => {
  const consent_due = {
    version: 'version',
    text: 'By continuing, you accept the terms of Cellar Door.',
    terms: null,
  };
  let due: typeof consent_due | null = consent_due;
  const { calls } = stubServer({
    [mine]: () => ({ ...me, customer, consent_due: due }),
    'POST /api/profile/consent': () => {
      due = null;
      return { agreed: true };
    },
  });
  openApp('/dashboard');
  await screen.findByText(consent_due.text);
  expect(screen.queryByText('Resets on your monthly billing date')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Resets on your monthly billing date');
  expect(calls).toContainEqual({ call: 'POST /api/profile/consent', body: { consent_version: 'version' } });
});

describe('a decision of the staff', () => {
  const reviewed_at = '2026-03-05T12:00:00.000Z';

  test('approved: says so, with the tier and the date', async () => {
    const decision = { status: 'approved', reviewed_at, tier: 'premier' };
    stubServer({ [mine]: { ...me, customer, decision } });
    openApp('/dashboard');
    await screen.findByText('Your application was approved');
    screen.getByText(/You have been a Premier member since 3\/5\/2026\./);
  });

  test('rejected: says so, with the date, above the link to apply again', async () => {
    const decision = { status: 'rejected', reviewed_at, tier: 'select' };
    stubServer({ [mine]: { ...me, decision } });
    openApp('/dashboard');
    await screen.findByText('Your application was not accepted');
    screen.getByText(/We reviewed it on 3\/5\/2026\./);
    expect(href('Get Started')).toBe('/apply');
  });
});

describe('what comes at the end of the period', () => {
  const details = 'POST /api/functions/get-subscription-details';
  const end = Date.parse('2026-12-14T12:00:00Z') / 1000;
  const running = {
    status: 'active',
    cancel_at_period_end: false,
    current_period_end: end,
    ends_at: null as number | null,
    next_charge: { at: end, tier: 'premier', amount: 6900 },
    return_amount: null,
    amount: 6900,
    currency: 'usd',
    tax_behavior: 'unspecified',
    tier: 'premier',
    pending_tier: null as { tier: string; from: number; amount: number } | null,
    approval: null,
    price_move: null,
    pause: null,
    grace_until: null,
    is_charging: false,
    collection: null,
    payment_method: null,
  };

  test('the reset is shown with its date', async () => {
    stubServer({ [mine]: { ...me, customer }, [details]: { subscription: running } });
    openApp('/dashboard');
    const note = await screen.findByText('Resets on your monthly billing date');
    expect(note.textContent).toContain(new Date(1_900_000_000_000).toLocaleDateString('en-US'));
  });

  test('with an end on a later day, the charge before it is named', async () => {
    const later = { ...running, ends_at: end + 40 * 86_400 };
    stubServer({ [mine]: { ...me, customer }, [details]: { subscription: later } });
    openApp('/dashboard');
    await screen.findByText('Your membership ends on 1/23/2027');
    screen.getByText('Until then it renews as before: $69.00 on 12/14/2026.');
    screen.getByRole('button', { name: 'Keep Membership' });
    screen.getByText('Resets on your monthly billing date');
  });

  test('after canceling, what is charged on the last day is named', async () => {
    const next_charge = { at: end, tier: 'premier', amount: 1500 };
    const canceled = { ...running, cancel_at_period_end: true, ends_at: end, next_charge };
    stubServer({ [mine]: { ...me, customer }, [details]: { subscription: canceled } });
    openApp('/dashboard');
    await screen.findByText(
      /^You’ll keep your pours until then\. That day, your card is charged \$15\.00 for/,
    );
  });

  test('after canceling, notice and card name the day it ends, and it can be undone', async () => {
    const canceled = { ...running, cancel_at_period_end: true, ends_at: end, next_charge: null };
    const resume = 'POST /api/billing/resume';
    const server = stubServer({
      [mine]: { ...me, customer },
      [details]: { subscription: canceled },
      [resume]: { subscription: running },
    });
    openApp('/dashboard');
    await screen.findByText('Your membership ends on 12/14/2026');
    screen.getByText('Ends 12/14/2026');
    screen.getByText('Ends with your membership on 12/14/2026');
    await userEvent.click(screen.getByRole('button', { name: 'Keep Membership' }));
    await waitFor(() => expect(screen.queryByText(/ends? .*12\/14\/2026/i)).toBeNull());
    expect(server.count(resume)).toBe(1);
  });

  test('a smaller tier from then on, and how to keep the present one', async () => {
    const subscription = { ...running, pending_tier: { tier: 'select', from: end, amount: 3900 } };
    stubServer({ [mine]: { ...me, customer }, [details]: { subscription } });
    openApp('/dashboard');
    expect(await screen.findAllByText('Select from 12/14/2026')).toHaveLength(2);
    screen.getByRole('button', { name: 'Stay on Premier' });
  });

  test('the card with the code says so too', async () => {
    const subscription = { ...running, cancel_at_period_end: true, ends_at: end };
    stubServer({ [mine]: { ...me, customer }, [details]: { subscription } });
    openApp('/qr-code');
    await screen.findByText('Ends 12/14/2026');
  });
});

describe('the pours are read at a glance', () => {
  const shown = async (of: Partial<typeof availablePours>) => {
    cleanup();
    stubServer({ [mine]: { ...me, customer, pours: { ...availablePours, tier_max: 8, ...of } } });
    openApp('/dashboard');
    return screen.findByRole('progressbar', { name: 'Pours remaining' });
  };

  test('with more than the tier gives, bar, glasses and a sentence say how many are left of how many', async () => {
    const bar = await shown({
      available_pours: 10,
      pours_used: 1,
      period_pours: 11,
      grants: [left(2, { kind: 'rollover', until: '2026-12-18T12:00:00.000Z' }), left(8)],
    });
    expect(screen.getByText('/ 8').parentElement?.textContent).toBe('10 / 8');
    screen.getByText('10 of 11 left. Your tier gives 8 pours a month.');
    screen.getByRole('img', { name: '10 of 11 pours left' });
    expect(bar.getAttribute('aria-valuetext')).toBe('10 of 11 pours remaining');
    expect(bar.getAttribute('aria-valuenow')).toBe('10');
    expect(bar.getAttribute('aria-valuemax')).toBe('11');
    expect(Number.parseFloat(bar.firstElementChild?.getAttribute('width') ?? '')).toBeCloseTo(1000 / 11);
  });

  test('a month like any other has nothing to open', async () => {
    await shown({ available_pours: 5 });
    expect(screen.getByText('3 used this billing period').closest('details')).toBeNull();
    expect(screen.queryByText(/left\. Your tier/)).toBeNull();
  });

  test.each([
    ['pours rolled over', { rolled_pours: 3 }, '3 rolled over from last month'],
    ['an unpaid month', { carried_pours: 2 }, '2 from an unpaid month'],
    ['both', { rolled_pours: 1, carried_pours: 2 }, '1 rolled over from last month, 2 from an unpaid month'],
    ['pours for guests', { held_pours: 2 }, '2 held'],
    ['pours to come', { pours_when_paid: 4 }, '4 more once this month’s payment goes through'],
    [
      'pours of other months and of the club',
      { grants: [left(8), left(1, { kind: 'celebration', occasion: 'birthday' })] },
      '8 this month, 1 for your birthday',
    ],
  ])('with %s, the sum of those used opens to say so', async (_, of, text) => {
    await shown(of);
    const details = screen.getByText('3 used this billing period').closest('details');
    expect(details?.open).toBe(false);
    within(details as HTMLElement).getByText(text);
    screen.getByText('Resets on your monthly billing date');
  });
});

describe('a membership that is paid at the venue', () => {
  const dues = {
    state: 'paid',
    paid_until: '2026-07-15',
    grace_until: '2026-07-22',
    price_cents: 3900,
  } as const;
  const open = (state: DuesNow['state'], pours = availablePours) => {
    stubServer({ [mine]: { ...me, customer, pours, dues: { ...dues, state } } });
    openApp('/dashboard');
  };

  test('the card says until when', async () => {
    open('paid');
    await screen.findByText('Paid until 7/15/2026');
    expect(screen.queryByText(/^Please pay/)).toBeNull();
  });

  test('a year says its last day on the card, and once that is near, both ways to go on', async () => {
    const today = new Date(Date.now());
    const inDays = (days: number) => addDays(localDate(today, site.time_zone), days);
    const year = { ...dues, is_year: true, year_cents: 39_000 };
    const show = (paid_until: string) => {
      stubServer({ [mine]: { ...me, customer, pours: availablePours, dues: { ...year, paid_until } } });
      openApp('/dashboard');
    };
    show(inDays(31));
    await screen.findByText(`Last day ${dateOfDay(inDays(30))}`);
    expect(screen.queryByText(/Nothing renews by itself/)).toBeNull();
    cleanup();
    show(inDays(30));
    await screen.findByText(`The last day of your year is ${dateOfDay(inDays(29))}`);
    screen.getByText(
      'Nothing renews by itself. To go on, pay at the bar, or a year in your account: another year is $390, a month $39.',
    );
  });

  test('due: how much, where, and by when', async () => {
    open('due');
    await screen.findByText('Please pay $39 at the bar by 7/15/2026');
    screen.getByText('Your membership is paid until 7/15/2026. Nothing is charged by itself.');
  });

  test('overdue: what is left, and by when', async () => {
    open('overdue', { ...availablePours, available_pours: 1, pours_when_paid: 3 });
    await screen.findByText('Please pay $39 at the bar by 7/22/2026');
    screen.getByText(
      'Your membership was paid until 7/15/2026. You have 1 pour left, and 3 more once you pay. If it isn’t paid by 7/22/2026, it ends.',
    );
    screen.getByText('Payment due');
  });
});

describe('a payment that failed', () => {
  const details = 'POST /api/functions/get-subscription-details';
  const subscription = {
    status: 'past_due',
    cancel_at_period_end: false,
    ends_at: null as number | null,
    ended_on: null as string | null,
    current_period_end: 1_900_000_000,
    amount: 6900,
    tier: 'premier',
    pending_tier: null,
    approval: null,
    grace_until: Math.floor(Date.now() / 1000) + 86_400,
    collection: null,
    payment_method: null,
  };

  test('is shown with the last day of pours and a button to update the card', async () => {
    stubServer({ [mine]: { ...me, customer }, [details]: { subscription } });
    openApp('/dashboard');
    await screen.findByText('Your last payment didn’t go through');
    screen.getByText(/You keep your pours until \d+\/\d+\/\d{4}/);
    screen.getByRole('button', { name: 'Update Card' });
  });

  test('the button leads to the payment service, and works again after going back to the same page', async () => {
    const leave = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
    stubServer({
      [mine]: { ...me, customer },
      [details]: { subscription },
      'POST /api/billing/payment-method': { url: 'https://pay.example/portal' },
    });
    openApp('/dashboard');
    const button = await screen.findByRole('button', { name: 'Update Card' });
    await userEvent.click(button);
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://pay.example/portal'));
    expect(button.getAttribute('aria-busy')).toBe('true');
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
  });

  test('is shown with how many pours there are until it is paid', async () => {
    const pours = {
      ...availablePours,
      available_pours: 1,
      pours_used: 1,
      tier_max: 8,
      period_pours: 2,
      pours_when_paid: 6,
    };
    stubServer({
      [mine]: { ...me, customer, pours },
      [details]: { subscription },
    });
    openApp('/dashboard');
    await screen.findByText(/Until it is paid, you have 2 of this month’s 8 pours\./);
    screen.getByText('6 more once this month’s payment goes through');
  });

  test('after the grace period, says how to get pours back', async () => {
    stubServer({
      [mine]: { ...me, customer: { ...customer, status: 'inactive' } },
      [details]: { subscription: { ...subscription, grace_until: 1_700_000_000 } },
    });
    openApp('/dashboard');
    await screen.findByText(/Your pours are on hold until it is paid/);
  });

  test.each([
    [
      null,
      'Your last payment didn’t go through',
      /Update your card, and we charge it right away/,
      'Update Card',
    ],
    [
      { state: 'under_way', code: null },
      'Your last payment didn’t go through',
      /We’re charging Visa •••• 4242 now/,
      'Update Card',
    ],
    [
      { state: 'declined', code: 'insufficient_funds' },
      'Your new payment method was declined',
      /Visa •••• 4242 was declined: there isn’t enough money on it/,
      'Update Card',
    ],
    [
      { state: 'declined', code: 'stolen_card' },
      'Your new payment method was declined',
      /the bank gives no reason/,
      'Update Card',
    ],
    [
      { state: 'authentication', code: null },
      'Your bank asks you to confirm the payment',
      /on the page of the invoice/,
      'Confirm Payment: the open invoice',
    ],
  ])('says what came of a new payment method: %o', async (outcome, title, text, button) => {
    const method = { type: 'card', brand: 'visa', last4: '4242', wallet: null };
    const collection = outcome && { ...outcome, method };
    stubServer({ [mine]: { ...me, customer }, [details]: { subscription: { ...subscription, collection } } });
    openApp('/dashboard');
    await screen.findByText(title);
    screen.getByText(text);
    screen.getByRole('button', { name: button });
  });
});

test("no membership and no application: 'Welcome' with 'Get Started'", async () => {
  stubServer();
  openApp('/dashboard');
  await screen.findByRole('heading', { name: 'Welcome' });
  expect(href('Get Started')).toBe('/apply');
});

test.each([[{ ...me, customer: { ...customer, status: 'inactive' } }], [{ ...me, membership_ever: true }]])(
  "a membership that has ended: 'No Active Membership'",
  async (member) => {
    stubServer({ [mine]: member });
    openApp('/dashboard');
    await screen.findByRole('heading', { name: 'No Active Membership' });
    expect(href('Renew Membership')).toBe('/apply');
    expect(href('Contact support')).toMatch(/^mailto:/);
    screen.getByRole('button', { name: 'Sign Out' });
  },
);

test.each([
  ['incomplete', application],
  ['without a tier', { ...application, is_complete: true }],
  ['without a payment session', { ...application, is_complete: true, selected_tier: 'elite' }],
])('a pending application %s: redirect to /apply', async (_case, pending) => {
  stubServer({ [mine]: { ...me, application: pending } });
  const app = openApp('/dashboard');
  await waitFor(() => expect(app.path()).toBe('/apply'));
});

const unpaid = { ...application, is_complete: true, selected_tier: 'elite', stripe_session_id: 'cs_1' };

test("an unpaid application: dimmed preview under 'Complete Your Payment'; 'Later' closes it", async () => {
  stubServer({ [mine]: { ...me, application: unpaid } });
  openApp('/dashboard');
  const dialog = await screen.findByRole('dialog', { name: 'Complete Your Payment' });
  const code = screen.getByRole('img', { name: 'QR code of your application' });
  expect(dialog.contains(code)).toBe(true);
  expect(code.getAttribute('width')).toBe('180');
  screen.getByText('Pending activation');
  screen.getByText('/ 0');
  await userEvent.click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test("'Complete Payment' goes to /apply", async () => {
  stubServer({ [mine]: { ...me, application: unpaid } });
  const app = openApp('/dashboard');
  await userEvent.click(await screen.findByRole('button', { name: 'Complete Payment' }));
  await waitFor(() => expect(app.path()).toBe('/apply'));
});

test("the server reports 'updated': the member is loaded again and the dashboard shows", async () => {
  const server = stubServer({ [mine]: { ...me, application: unpaid } });
  server.answers[verify] = () => {
    server.answers[mine] = { ...me, customer };
    return { status: 'updated', localStatus: 'active' };
  };
  openApp('/dashboard');
  await screen.findByText('3 used this billing period');
  expect(server.count(verify)).toBe(1);
  expect(server.count(mine)).toBe(2);
});

test('a failed check of the subscription reloads nothing and is silent', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const server = stubServer({ [mine]: { ...me, customer }, [verify]: refuse(502, {}) });
  openApp('/dashboard');
  await screen.findByText('3 used this billing period');
  await waitFor(() => expect(warn).toHaveBeenCalled());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(server.count(mine)).toBe(1);
});

test('a dashboard that cannot be loaded says so and offers to try again', async () => {
  const server = stubServer({ [mine]: refusal(400, 'BAD_REQUEST', 'no') });
  openApp('/dashboard');
  await screen.findByText('We couldn’t load your dashboard');
  server.answers[mine] = me;
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByRole('heading', { name: 'Welcome' });
});

test('a session that has ended: to /login, with the page to return to', async () => {
  const server = stubServer({
    [mine]: refusal(401, 'NOT_SIGNED_IN', 'Please sign in.'),
  });
  const app = openApp('/dashboard');
  server.answers['GET /api/session'] = () => ({ user: server.count('GET /api/session') > 1 ? null : ada() });
  await waitFor(() => expect(app.path()).toBe('/login'));
  expect(app.router.state.location.search).toEqual({ redirect: '/dashboard' });
});

function ada() {
  return { ...me.profile, role: 'customer' };
}

test('a celebration shows a greeting and the glass on the house, and stays away once dismissed', async () => {
  localStorage.clear();
  const birthday = { kind: 'birthday', occasion: 'birthday:2026', years: null, glasses: 1 };
  const open = () => {
    stubServer({ 'GET /api/customers/own': { ...me, customer, celebrations: [birthday] } });
    openApp('/dashboard');
  };
  open();
  await screen.findByText('Happy birthday!');
  screen.getByText(/1 pour on the house/);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Happy birthday!')).toBeNull();
  cleanup();
  open();
  await screen.findByText('Pours Remaining');
  expect(screen.queryByText('Happy birthday!')).toBeNull();
  localStorage.clear();
});

test.each([
  [6, false],
  [7, true],
])('a member of %i days is asked a favor: %s', async (days, asks) => {
  const member_since = addDays(localDate(new Date(), site.time_zone), -days);
  const server = stubServer({
    'GET /api/customers/own': { ...me, customer: { ...customer, member_since } },
    'GET /api/personal-emails/own': () => Response.json({ wanted: null }),
  });
  openApp('/dashboard');
  // What is read at the same time.
  await waitFor(() => expect(server.count('GET /api/ratings/question')).toBe(1));
  expect(server.count('GET /api/personal-emails/own')).toBe(asks ? 1 : 0);
  if (asks) await screen.findByText('May we write to you now and then?');
});

test.each([
  ['Yes, Please', true],
  ['No, Thanks', false],
])('a member is asked once about personal emails: %s', async (name, wanted) => {
  let answer: boolean | null = null;
  const { calls } = stubServer({
    'GET /api/customers/own': { ...me, customer },
    'GET /api/personal-emails/own': () => Response.json({ wanted: answer }),
    'PUT /api/personal-emails/own': () => {
      answer = wanted;
      return Response.json({ wanted });
    },
  });
  openApp('/dashboard');
  await userEvent.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(screen.queryByText('May we write to you now and then?')).toBeNull());
  expect(calls.find(({ call }) => call === 'PUT /api/personal-emails/own')?.body).toEqual({
    wanted,
    place: 'dashboard',
  });
  cleanup();
  openApp('/dashboard');
  await screen.findByText('Pours Remaining');
  expect(screen.queryByText('May we write to you now and then?')).toBeNull();
});
