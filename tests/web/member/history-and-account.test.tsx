import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { addDays } from '../../../src/domain/calendar.ts';
import { cardConsent, tierUpConsent, yearConsent } from '../../../src/domain/consent.ts';
import { site } from '../../../src/web/api/site.ts';
import { shortDay, timeOfDay } from '../../../src/web/format/dates.ts';
import { venueToday } from '../../../src/web/format/venue-today.ts';
import { customer, me, openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

describe('/pours', () => {
  const pour = {
    id: '0197b1f0-0000-7000-8000-0000000000f1',
    quantity: 2,
    location: 'main_bar',
    status: 'redeemed',
    created_at: '2026-01-15T18:00:00.000Z',
  };

  test('four columns, title-cased location, a check mark with text, other statuses raw', async () => {
    stubServer({
      'GET /api/pours/own': [
        pour,
        { ...pour, id: '0197b1f0-0000-7000-8000-0000000000f2', location: 'tasting_room', status: 'voided' },
      ],
    });
    openApp('/pours');
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Date', 'Location', 'Quantity', 'Status']);
    const [, first, second] = within(table).getAllByRole('row');
    expect([...first!.children].map((cell) => cell.textContent)).toEqual([
      `1/15/2026 ${timeOfDay(new Date(pour.created_at))}`,
      'Main Bar',
      '2',
      'Redeemed',
    ]);
    expect(second!.textContent).toContain('Tasting Room');
    expect(second!.textContent).toContain('voided');
    expect(first!.querySelector('del'), 'only what was taken back is struck through').toBeNull();
    expect([...second!.querySelectorAll('del')].map((it) => it.textContent)).toEqual([
      `1/15/2026 ${timeOfDay(new Date(pour.created_at))}`,
      'Tasting Room',
      '2',
    ]);
  });

  test('pours of one evening differ by their time, and are set apart from other days', async () => {
    const at = (created_at: string) => ({ ...pour, id: created_at, created_at });
    stubServer({
      'GET /api/pours/own': [
        at('2026-01-15T18:40:00.000Z'),
        at('2026-01-15T18:00:00.000Z'),
        at('2026-01-13T18:00:00.000Z'),
      ],
    });
    openApp('/pours');
    const [, ...rows] = within(await screen.findByRole('table')).getAllByRole('row');
    expect(new Set(rows.map((row) => row.firstChild?.textContent)).size).toBe(3);
    expect(rows.slice(1).map((row) => row.classList.contains('border-transparent'))).toEqual([true, false]);
  });

  test('the table holds pours alone; glasses left over from a month before stand in a line above it', async () => {
    const at = (created_at: string) => ({ ...pour, id: created_at, created_at });
    stubServer({
      'GET /api/pours/own': [at('2026-02-15T18:00:00.000Z'), at('2026-01-13T18:00:00.000Z')],
      'GET /api/pours/rolled-over': [
        { at: '2026-01-12T12:00:00.000Z', glasses: 1 },
        { at: '2026-02-12T12:00:00.000Z', glasses: 3 },
      ],
    });
    openApp('/pours');
    const [, ...rows] = within(await screen.findByRole('table')).getAllByRole('row');
    expect(rows.map((row) => [...row.children].slice(1).map((cell) => cell.textContent))).toEqual([
      ['Main Bar', '2', 'Redeemed'],
      ['Main Bar', '2', 'Redeemed'],
    ]);
    await screen.findByText('Rolled over: 3 pours on 2/12/2026, 1 on 1/12/2026.');
  });

  test('when rolled-over glasses cannot be loaded, the pours are still shown', async () => {
    stubServer({ 'GET /api/pours/own': [pour], 'GET /api/pours/rolled-over': refuse(400, {}) });
    openApp('/pours');
    expect(await screen.findByText('Main Bar')).toBeDefined();
  });

  test('an empty history', async () => {
    stubServer();
    openApp('/pours');
    await screen.findByText('No pour history yet. Visit us soon!');
  });

  test('a history that cannot be loaded is logged, shows no error, and is not shown as empty', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    stubServer({ 'GET /api/pours/own': refuse(400, {}) });
    openApp('/pours');
    await screen.findByRole('button', { name: 'Try Again' });
    expect(warn).toHaveBeenCalled();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText(/Visit us soon/)).toBeNull();
  });
});

describe('/account', () => {
  const details = 'POST /api/functions/get-subscription-details';
  const cancel = 'POST /api/functions/cancel-subscription';
  const end = Date.UTC(2026, 1, 14, 12) / 1000;
  const subscription = {
    status: 'active',
    cancel_at_period_end: false,
    ends_at: null as number | null,
    ended_on: null as string | null,
    current_period_end: end,
    next_charge: { at: end, tier: 'premier', amount: 5900 } as {
      at: number;
      tier: string;
      amount: number;
    } | null,
    charge_if_kept: null as { at: number; tier: string; amount: number } | null,
    charge_if_canceled: null as { at: number; tier: string; amount: number } | null,
    return_amount: null,
    amount: 5900,
    tier: 'premier',
    pending_tier: null,
    approval: null,
    grace_until: null,
    is_charging: false,
    collection: null,
    currency: 'usd',
    tax_behavior: 'unspecified',
    payment_method: {
      type: 'card',
      brand: 'visa',
      last4: '4242',
      exp_month: 4,
      exp_year: 2031,
      wallet: null,
    },
  };
  const member = {
    'GET /api/customers/own': { ...me, profile: { ...me.profile, phone: '555 0100' }, customer },
  };
  const detail = (term: string) =>
    screen.getByText(term, { selector: 'dt' }).parentElement?.textContent?.replace(term, '');

  const manage = async () => userEvent.click(await screen.findByRole('button', { name: 'Manage' }));

  async function askToCancel() {
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes, Cancel' }));
  }

  test.each([
    ['active', 'Ben shares your membership, and loses the card and the pours on 2/14/2026, too.'],
    ['past_due', 'Ben shares your membership, and loses the card and the pours now, too.'],
  ])('canceling while %s says that the partner loses access, and when', async (status, text) => {
    const household = { role: 'holder', first_name: 'Ben', pause: null, ends_at: null };
    stubServer({
      'GET /api/customers/own': { ...me, customer, household },
      [details]: { subscription: { ...subscription, status } },
    });
    openApp('/account');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    within(screen.getByRole('alertdialog', { name: 'Cancel Subscription' })).getByText(text);
  });

  test.each([
    ['by card', { ...subscription, status: 'canceled', ended_on: '2026-01-20' }],
    ['at the venue', null],
  ])('an ended membership %s has no amount, and a way to renew', async (_, ended) => {
    stubServer({
      'GET /api/customers/own': { ...me, customer: { ...customer, status: 'inactive' } },
      [details]: { subscription: ended },
    });
    openApp('/account');
    const renew = await screen.findByRole('link', { name: 'Renew Membership' });
    expect(renew.getAttribute('href')).toBe('/apply');
    expect(screen.queryByText(/per month/)).toBeNull();
  });

  test('profile, membership with the day, billing, support, Sign Out', async () => {
    stubServer({ ...member, [details]: { subscription } });
    openApp('/account');
    await screen.findByText('Next Billing Date');
    screen.getByRole('heading', { level: 1, name: 'Account Settings' });
    expect(detail('Name')).toBe('Ada Vine');
    expect(detail('Email')).toBe('ada@demo.test');
    expect(detail('Phone')).toBe('555 0100');
    expect(detail('Tier')).toBe('Premier');
    expect(detail('Member Since')).toBe('3/1/2024');
    expect(detail('Status')).toBe('Active');
    expect(detail('Next Billing Date')).toBe('2/14/2026');
    expect(detail('Amount')).toBe('$59.00 per month');
    expect(screen.queryByText('Next Charge')).toBeNull();
    expect(detail('Card')).toBe('Visa •••• 4242');
    expect(detail('Expires')).toBe('04/2031');
    expect(screen.getByRole('link', { name: /@/ }).getAttribute('href')).toMatch(/^mailto:/);
    screen.getByRole('button', { name: 'Sign Out' });
  });

  test.each<[string, Partial<typeof subscription>, string, string | null]>([
    [
      'will end, not with the period',
      { cancel_at_period_end: true, ends_at: end - 86_400 },
      'Access Until',
      '2/13/2026',
    ],
    ['ended at once', { status: 'canceled', ended_on: '2026-01-20' }, 'Ended', '1/20/2026'],
    ['is on hold', { status: 'unpaid', ended_on: '2026-01-20' }, 'On Hold Since', '1/20/2026'],
  ])('a subscription that %s shows its one correct date', async (_, change, term, date) => {
    stubServer({ ...member, [details]: { subscription: { ...subscription, ...change } } });
    openApp('/account');
    await screen.findByText(term);
    expect(detail(term)).toBe(date);
    const others = ['Next Billing Date', 'Access Until', 'Ended', 'On Hold Since'].filter(
      (it) => it !== term,
    );
    for (const other of others) expect(screen.queryByText(other)).toBeNull();
  });

  test('a membership that ends on a later day can be canceled sooner, or kept', async () => {
    const later = { ...subscription, ends_at: end + 40 * 86_400 };
    stubServer({ ...member, [details]: { subscription: later } });
    openApp('/account');
    await screen.findByText('Next Billing Date');
    expect(detail('Next Billing Date')).toBe('2/14/2026');
    expect(detail('Ends')).toBe('3/26/2026');
    expect(screen.queryByText('Cancels at period end')).toBeNull();
    screen.getByRole('button', { name: 'Keep Membership' });
    await userEvent.click(screen.getByRole('button', { name: 'Cancel Subscription' }));
    screen.getByText(/You keep your pours until 2\/14\/2026/);
  });

  test('the next charge stands in one line, and what can be done about it behind one button', async () => {
    const later = { at: Date.UTC(2099, 1, 14, 12) / 1000, tier: 'premier', amount: 5900 };
    stubServer({ ...member, [details]: { subscription: { ...subscription, next_charge: later } } });
    openApp('/account');
    const button = await screen.findByRole('button', { name: 'Manage' });
    expect(screen.getByText('Feb 14, 2099, $59').textContent).toBe('Next charge: Feb 14, 2099, $59');
    // Canceling takes no further step.
    screen.getByRole('button', { name: 'Cancel Subscription' });
    const items = ['Pause Membership', 'Change Tier', 'Update Card'];
    const shown = () => items.filter((name) => screen.queryByRole('button', { name }));
    expect(shown()).toEqual([]);
    expect(button.getAttribute('aria-expanded')).toBe('false');
    button.focus();
    await userEvent.keyboard('{Enter}');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(shown()).toEqual(items);
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe('Pause Membership');
    await userEvent.keyboard('{Escape}');
    expect(shown()).toEqual([]);
    expect(document.activeElement).toBe(button);
  });

  test.each([
    ['is overdue', { ...subscription, status: 'past_due' }, 'Overdue'],
    ['has ended', { ...subscription, status: 'canceled', ended_on: '2026-01-20' }, /^Ended \w/],
  ])('a subscription that %s has nothing behind a button', async (_, shown, line) => {
    stubServer({ ...member, [details]: { subscription: shown } });
    openApp('/account');
    await screen.findByText(line);
    expect(screen.queryByRole('button', { name: 'Manage' })).toBeNull();
  });

  test('what waits for an invoice is named before and after canceling', async () => {
    const last = { at: end, tier: 'premier', amount: 1500 };
    let shown: object = { ...subscription, charge_if_canceled: last };
    stubServer({
      ...member,
      [details]: () => ({ subscription: shown }),
      [cancel]: () => {
        shown = { ...shown, cancel_at_period_end: true, ends_at: end, next_charge: last };
        return { cancel_at: end };
      },
    });
    openApp('/account');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    screen.getByText(/^Your card is charged \$15\.00 on 2\/14\/2026 for changes to your membership/);
    await userEvent.click(screen.getByRole('button', { name: 'Yes, Cancel' }));
    await screen.findByRole('button', { name: 'Keep Membership' });
    expect(detail('Last Charge')).toBe('$15.00 on 2/14/2026');
    expect(screen.queryByText('Next Charge')).toBeNull();
  });

  test('a canceled membership says what keeping it would charge, and when', async () => {
    const canceled = { ...subscription, cancel_at_period_end: true, ends_at: end, next_charge: null };
    const charge_if_kept = { at: end, tier: 'premier', amount: 6500 };
    stubServer({ ...member, [details]: { subscription: { ...canceled, charge_if_kept } } });
    openApp('/account');
    await screen.findByRole('button', { name: 'Keep Membership' });
    expect(detail('If You Keep It')).toBe('$65.00 on 2/14/2026');
    expect(detail('Access Until')).toBe('2/14/2026');
  });

  test('a price change is shown with its day; a payment method other than a card by name alone', async () => {
    const link = { type: 'link', brand: null, last4: null, exp_month: null, exp_year: null, wallet: null };
    const moved = {
      ...subscription,
      tax_behavior: 'exclusive',
      price_move: { tier: 'premier', from: end, amount: 6500 },
      next_charge: { at: end, tier: 'premier', amount: 6500 },
      payment_method: link,
    };
    stubServer({ ...member, [details]: { subscription: moved } });
    openApp('/account');
    await screen.findByText('Your price changes on 2/14/2026');
    screen.getByText(
      /You’ll pay \$65\.00 plus tax per month from then on, and \$59\.00 plus tax per month until then/,
    );
    expect(detail('Amount')).toBe('$59.00 plus tax per month');
    expect(detail('Next Charge')).toBe('$65.00 plus tax');
    expect(detail('Payment Method')).toBe('Link');
    expect(screen.queryByText('Expires')).toBeNull();
    // The venue made the move, so the member cannot undo it.
    expect(screen.queryByRole('button', { name: /Stay on/ })).toBeNull();
  });

  test("canceling: asks first, 'Subscription Cancelled' with the end date, a badge instead of the button", async () => {
    const server = stubServer({ ...member, [details]: { subscription } });
    server.answers[cancel] = () => {
      server.answers[details] = { subscription: { ...subscription, cancel_at_period_end: true } };
      return { cancel_at: end };
    };
    openApp('/account');
    await askToCancel();
    await screen.findByText('Subscription Cancelled');
    screen.getByText(/access until 2\/14\/2026/);
    screen.getByText('Cancels at period end');
    expect(screen.queryByText('Coming Up')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.count(cancel)).toBe(1);
  });

  test('the dialog says that a renewal is still charged while it is', async () => {
    stubServer({ ...member, [details]: { subscription: { ...subscription, is_charging: true } } });
    openApp('/account');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    screen.getByText(/^Your card is charged for the month that has begun, and then never again\./);
  });

  test('a cancellation just after the renewal says that this month is still charged', async () => {
    const renewed = { cancel_at: end + 28 * 86_400 };
    stubServer({ ...member, [details]: { subscription }, [cancel]: renewed });
    openApp('/account');
    await askToCancel();
    await screen.findByText(
      /^It had just been renewed, so this month is still charged\. You have access until/,
    );
  });

  test("a failed cancellation: 'Error', and what to do", async () => {
    stubServer({ ...member, [details]: { subscription }, [cancel]: refuse(502, {}) });
    openApp('/account');
    await askToCancel();
    await screen.findByText('Error');
    screen.getByText('Failed to cancel subscription. Please try again.');
    expect(screen.queryByText('Cancels at period end')).toBeNull();
  });

  test('a larger tier that the bank must approve: what to do, the page to approve it, and the way back', async () => {
    const approval = { tier: 'elite', until: end };
    const server = stubServer({
      ...member,
      [details]: { subscription: { ...subscription, approval } },
      'POST /api/billing/tier/cancel-change': { subscription },
    });
    openApp('/account');
    const notice = (await screen.findByText('Your bank wants you to approve this payment')).closest(
      '[role=status]',
    );
    expect(notice?.textContent).toMatch(/Your change to Elite will take effect when you do\./);
    expect(notice?.textContent).toMatch(/by \d+:\d\d [AP]M on 2\/1[45]\/2026, nothing changes/);
    screen.getByRole('button', { name: 'Approve Payment with your bank' });
    expect(screen.queryByRole('button', { name: 'Change Tier' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Stay on Premier' }));
    await screen.findByText('Tier change canceled');
    expect(screen.queryByText('Your bank wants you to approve this payment')).toBeNull();
    expect(server.count('POST /api/billing/tier/cancel-change')).toBe(1);
  });

  test('a member billed at the venue reads so in place of a card', async () => {
    stubServer(member);
    openApp('/account');
    await screen.findByText(/billed at the venue/);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull());
    expect(screen.queryByText(/^Paid until/)).toBeNull();
  });

  test('a member who pays at the venue reads until when it is paid, the price, and what is due', async () => {
    const dues = { state: 'due', paid_until: '2026-07-15', grace_until: '2026-07-22', price_cents: 6900 };
    stubServer({ 'GET /api/customers/own': { ...me, customer, dues } });
    openApp('/account');
    await screen.findByText(`Paid until ${shortDay('2026-07-15', venueToday())}`);
    expect(screen.getByText('Amount').nextElementSibling?.textContent).toBe('$69.00 per month');
    screen.getByText('Please pay $69 at the bar by 7/15/2026');
  });

  describe('a member who pays at the venue', () => {
    const at = (month: number) => Date.UTC(2026, month - 1, 15, 12) / 1000;
    const dues = { state: 'paid', paid_until: '2026-12-15', grace_until: '2026-12-22', price_cents: 6900 };
    const own = (pause: object | null) => ({ ...me, customer, dues: { ...dues, pause } });
    const offer = { obstacle: null, again_at: null, months_a_year: 3, choices: [], pause: null };

    test('skips the next month, without a word about a card', async () => {
      const server = stubServer({
        'GET /api/customers/own': own(null),
        'GET /api/billing/pause': { ...offer, choices: [{ months: 1, from: at(7), until: at(8) }] },
        'POST /api/billing/pause': { subscription: null },
      });
      openApp('/account');
      await userEvent.click(await screen.findByRole('button', { name: 'Skip July' }));
      const question = within(await screen.findByRole('alertdialog', { name: 'Skip July' }));
      expect(question.getByText(/What you have paid lasts a month longer/).textContent).not.toMatch(/card/);
      await userEvent.click(question.getByRole('button', { name: 'Skip July' }));
      await screen.findByText('July is skipped');
      expect(server.calls).toContainEqual({ call: 'POST /api/billing/pause', body: { months: 1 } });
    });

    test('comes back from a pause, and reads that the month is paid first', async () => {
      const pause = { from: '2026-07-15T12:00:00.000Z', until: '2026-09-15T12:00:00.000Z', begun: true };
      const server = stubServer({
        'GET /api/customers/own': own(pause),
        'GET /api/billing/pause': { ...offer, obstacle: 'paused' },
        'POST /api/billing/pause/end': refusal(409, 'PAUSE_REFUSED', 'No', { reason: 'payment_open' }),
      });
      openApp('/account');
      await screen.findByText('Your membership is paused until 9/15/2026');
      expect(screen.queryByRole('button', { name: 'Pause Membership' })).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Come Back Now' }));
      const question = within(await screen.findByRole('alertdialog', { name: 'Come Back Now' }));
      await userEvent.click(question.getByRole('button', { name: 'Come Back' }));
      await question.findByText(/pay for this month at the bar\. Then/);
      server.answers['POST /api/billing/pause/end'] = () => {
        server.answers['GET /api/customers/own'] = own(null);
        return { subscription: null };
      };
      await userEvent.click(question.getByRole('button', { name: 'Come Back' }));
      await screen.findByText('Welcome back');
      await waitFor(() => expect(screen.queryByText(/is paused until/)).toBeNull());
    });
  });

  test('another year stands on the page once the year is nearly over, without a further step', async () => {
    const paid_until = addDays(venueToday(), 20);
    const dues = { state: 'paid', paid_until, grace_until: paid_until, is_year: true };
    const prices = { price_cents: 3900, year_cents: 39_000 };
    stubServer({ 'GET /api/customers/own': { ...me, customer, dues: { ...dues, ...prices } } });
    openApp('/account');
    await screen.findByRole('button', { name: 'Another Year' });
    expect(screen.queryByRole('button', { name: 'Manage' })).toBeNull();
  });

  test('a member with a year reads its last day, and that it ends by itself', async () => {
    const dues = { state: 'paid', paid_until: '2099-07-15', grace_until: '2099-07-22', is_year: true };
    const prices = { price_cents: 3900, year_cents: 39_000 };
    stubServer({ 'GET /api/customers/own': { ...me, customer, dues: { ...dues, ...prices } } });
    openApp('/account');
    await screen.findByText('Last day Jul 14, 2099');
    screen.getByText(/^Your membership is paid for a year\. It ends by itself, and nothing is charged\./);
    expect(screen.queryByText(/^Paid until/)).toBeNull();
    expect(screen.queryByText(/per month/)).toBeNull();
  });

  test.each([
    ['another year', null, 'Premier'],
    ['a year of the tier that follows', { tier: 'elite', from: '2099-07-15', price_cents: 3900 }, 'Elite'],
  ])('%s says what it charges, and leads to its payment page', async (_, pending_tier, tier) => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    const until = { state: 'paid', paid_until: '2099-07-15', grace_until: '2099-07-22', is_year: true };
    const dues = { ...until, pending_tier };
    const prices = { price_cents: 3900, year_cents: 39_000 };
    const server = stubServer({
      'GET /api/customers/own': { ...me, customer, dues: { ...dues, ...prices } },
      'POST /api/billing/year': { url: 'https://pay.example/cs_1' },
    });
    openApp('/account');
    await manage();
    await userEvent.click(screen.getByRole('button', { name: 'Another Year' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/cs_1'));
    const words = yearConsent(site, { tier, price: '$390.00' });
    screen.getByText(`We’ll charge your card $390.00 once, for a year of ${tier}.`, { exact: false });
    expect(server.calls.find(({ call }) => call === 'POST /api/billing/year')?.body).toEqual({
      consentVersion: words.version,
    });
  });

  test('a member within a year chooses a dearer tier, reads what it costs, and is led to its payment page', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    const until = { state: 'paid', paid_until: '2099-07-15', grace_until: '2099-07-22', is_year: true };
    const server = stubServer({
      'GET /api/customers/own': {
        ...{ ...me, customer, dues: { ...until, price_cents: 3900, year_cents: null } },
        tiers_up: [
          { tier: 'elite', months: 7, amount_cents: 8400 },
          { tier: 'household', months: 1, amount_cents: 5000 },
        ],
      },
      'POST /api/billing/year/tier': { url: 'https://pay.example/cs_4' },
    });
    openApp('/account');
    await manage();
    const first = screen.getByRole('radio', { name: 'Elite for the 7 months left: $84.00' });
    expect(first).toHaveProperty('checked', true);
    screen.getByRole('button', { name: 'Move to Elite' });
    await userEvent.click(screen.getByRole('radio', { name: 'Household for the month left: $50.00' }));
    const words = tierUpConsent(site, { tier: 'Household', months: 1, price: '$50.00' });
    screen.getByText('We’ll charge your card $50.00 once, for Household in the month left of your year.', {
      exact: false,
    });
    await userEvent.click(screen.getByRole('button', { name: 'Move to Household' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/cs_4'));
    expect(server.calls.find(({ call }) => call === 'POST /api/billing/year/tier')?.body).toEqual({
      tier: 'household',
      consentVersion: words.version,
    });
  });

  test.each([
    ['pending', 12, /^\$390\.00 for a year of Premier\. Your bank takes a few days\./, 0],
    ['declined', 12, /^\$390\.00 for a year of Premier\. Nothing was charged\./, 1],
    ['pending', 7, /^\$390\.00 for Premier for the rest of your year\. Your bank/, 0],
  ] as const)(
    'a payment for a year that is %s, for %s months, says so',
    async (state, months, text, buttons) => {
      const until = { state: 'paid', paid_until: '2099-07-15', grace_until: '2099-07-22', is_year: true };
      stubServer({
        'GET /api/customers/own': {
          ...{ ...me, customer, dues: { ...until, price_cents: 3900, year_cents: 39_000 } },
          tiers_up: [{ tier: 'elite', months: 7, amount_cents: 8400 }],
        },
        [details]: { subscription: null, year_payment: { state, tier: 'premier', months, amount: 39_000 } },
      });
      openApp('/account');
      await screen.findByText(text);
      if (state === 'declined') await manage();
      expect(screen.queryAllByRole('button', { name: 'Another Year' })).toHaveLength(buttons);
      expect(screen.queryAllByRole('button', { name: 'Move to Elite' })).toHaveLength(buttons);
    },
  );

  test('a member by card pays for a year, which follows the paid month', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    stubServer({
      ...member,
      [details]: {
        subscription: { ...subscription, year_cents: 39_000 },
      },
      'POST /api/billing/year': { url: 'https://pay.example/cs_3' },
    });
    openApp('/account');
    await manage();
    await userEvent.click(screen.getByRole('button', { name: 'Pay for a Year' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/cs_3'));
  });

  test('the year that follows is announced, and exchanged for the next month', async () => {
    const server = stubServer({
      ...member,
      [details]: {
        subscription: { ...subscription, cancel_at_period_end: true, year_from: end },
      },
      'POST /api/billing/resume': { subscription },
    });
    openApp('/account');
    await screen.findByText(/^Your year begins on /);
    expect(screen.queryByRole('button', { name: 'Keep Membership' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Go On by the Month' }));
    await screen.findByText('It renews as before, and we refund the year.');
    expect(server.calls.map(({ call }) => call)).toContain('POST /api/billing/resume');
  });

  test.each([
    ['paid', 'when the months you’ve paid for are over, then every month until you cancel.'],
    ['overdue', 'today, then every month until you cancel.'],
  ])('a member who is %s pays by card after a consent that says when', async (state, when) => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    const dues = { state, paid_until: '2026-07-15', grace_until: '2026-07-22', price_cents: 3500 };
    const server = stubServer({
      'GET /api/customers/own': { ...me, customer, dues: { ...dues, year_cents: null, card_cents: 3900 } },
      'POST /api/billing/by-card': { url: 'https://pay.example/cs_2' },
    });
    openApp('/account');
    await manage();
    await userEvent.click(screen.getByRole('button', { name: 'Pay by Card' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Pay by Card' }));
    question.getByText(`We’ll charge your card $39.00 for Premier ${when}`, { exact: false });
    await userEvent.click(question.getByRole('button', { name: 'Continue to Payment' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/cs_2'));
    const words = cardConsent(site, { tier: 'Premier', price: '$39.00', overdue: state === 'overdue' });
    expect(server.calls.find(({ call }) => call === 'POST /api/billing/by-card')?.body).toEqual({
      consentVersion: words.version,
    });
  });

  describe('a member billed at the venue', () => {
    const ends_at = '2026-03-10T17:00:00.000Z';
    const ifCanceled = { ...me, customer, if_canceled: { ends_at, overdue: false } };
    const ends = { last_day: '2026-03-09', ends_at, is_gift: false, by_member: true };
    const CANCEL = 'POST /api/functions/cancel-subscription';
    const OWN = 'GET /api/customers/own';

    test('cancels in the same dialog, and keeps the membership after all', async () => {
      const server = stubServer({
        [OWN]: ifCanceled,
        [CANCEL]: () => {
          server.answers[OWN] = { ...me, customer, ends };
          return { cancel_at: Date.parse(ends_at) / 1000 };
        },
        'POST /api/billing/resume': () => {
          server.answers[OWN] = ifCanceled;
          return { subscription: null };
        },
      });
      openApp('/account');
      await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
      const question = within(await screen.findByRole('alertdialog', { name: 'Cancel Subscription' }));
      expect(question.getByText(/You keep your pours until 3\/10\/2026/).textContent).not.toMatch(/card/);
      await userEvent.click(question.getByRole('button', { name: 'Yes, Cancel' }));
      await screen.findByText('Subscription Cancelled');
      screen.getByText('You have access until 3/10/2026.');
      await screen.findByText(/It ends on 3\/10\/2026/);
      expect(screen.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Keep Membership' }));
      await screen.findByRole('button', { name: 'Cancel Subscription' });
    });

    test('whose payment is due ends now', async () => {
      stubServer({ [OWN]: { ...me, customer, if_canceled: { ends_at, overdue: true } } });
      openApp('/account');
      await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
      await screen.findByText(/ends now, because a payment is due\. You can rejoin anytime/);
    });

    test.each([
      [true, 1],
      [false, 0],
    ])('sees an end on the dashboard (own: %s) with %i button to keep it', async (by_member, buttons) => {
      stubServer({ [OWN]: { ...me, customer, ends: { ...ends, by_member } } });
      openApp('/dashboard');
      await screen.findByText(/Last day 3\/9\/2026/);
      expect(screen.queryAllByRole('button', { name: 'Keep Membership' })).toHaveLength(buttons);
      expect(screen.queryAllByText('Your membership ends on 3/10/2026')).toHaveLength(buttons);
    });
  });
});
