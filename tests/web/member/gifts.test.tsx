import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { availablePours, customer, me, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

// docs/rules/gifts.md, "Gifts".

const TIERS = [
  {
    tier_name: 'select',
    display_name: 'Select',
    monthly_price: 39,
    monthly_pours: 4,
    description: 'Four glasses',
    people: 1,
    yearly_price: null,
    guest_glasses: 0,
    benefits: [],
    is_active: true,
    is_featured: false,
  },
];
const GIFT = {
  id: '0197b1f0-0000-7000-8000-00000000000a',
  tier: 'select',
  months: 6,
  amount: 23_400,
  currency: 'usd',
  from_name: 'Anna',
  to_name: 'Ben',
  message: null,
  delivery: 'card',
  recipient_email: null,
  send_on: null,
  sent_at: null,
  status: 'paid',
  disputed: false,
  paid_at: '2026-06-15T12:00:00.000Z',
  redeemed_at: null,
};
const OFFER = {
  tier: 'select',
  tier_label: 'Select',
  monthly_pours: 4,
  months: 6,
  from_name: 'Anna',
  to_name: 'Ben',
  message: 'Enjoy!',
  redeemed: false,
};

test('the form shows the one price for all months, and asks for an address if the gift goes by email', async () => {
  stubServer({ 'GET /api/customers/own': me, 'GET /api/tiers': TIERS });
  openApp('/gift');
  await screen.findByRole('button', { name: 'Pay $117.00' });
  fireEvent.change(screen.getByLabelText('For How Long'), { target: { value: '12' } });
  expect(screen.getByText(/charge your card \$468\.00 once .* It doesn’t renew/)).toBeTruthy();
  expect(screen.queryByLabelText(/Their Email/)).toBeNull();
  fireEvent.click(screen.getByLabelText(/^Email it for me/));
  expect(screen.getByLabelText(/Their Email/)).toBeTruthy();
});

describe('what the gift form sends', () => {
  const ORDER = 'POST /api/gifts';
  const fill = (label: string | RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const open = async () => {
    const server = stubServer({
      'GET /api/customers/own': me,
      'GET /api/tiers': TIERS,
      [ORDER]: { id: GIFT.id, url: null },
    });
    openApp('/gift');
    await screen.findByRole('button', { name: 'Pay $117.00' });
    fill('Their Name', 'Ben');
    return server;
  };
  const pay = () => fireEvent.click(screen.getByRole('button', { name: 'Pay $117.00' }));
  const sent = ({ calls }: ReturnType<typeof stubServer>) => calls.find(({ call }) => call === ORDER)?.body;

  test('a card to print, by default, with only the required fields, from the member who is signed in', async () => {
    const server = await open();
    pay();
    await waitFor(() => expect(server.count(ORDER)).toBe(1));
    expect(sent(server)).toMatchObject({ delivery: 'card', from_name: 'Ada Vine', to_name: 'Ben' });
    expect(sent(server)).not.toHaveProperty('recipient_email');
  });

  test('a card, without the email typed before its field was hidden', async () => {
    const server = await open();
    fireEvent.click(screen.getByLabelText(/^Email it for me/));
    fill(/Their Email/, 'not an email');
    fireEvent.click(screen.getByLabelText(/^I’ll print a card/));
    pay();
    await waitFor(() => expect(server.count(ORDER)).toBe(1));
    expect(sent(server)).not.toHaveProperty('recipient_email');
  });

  test('a gift by email needs an address, and the form says at what hour it is sent', async () => {
    const server = await open();
    fireEvent.click(screen.getByLabelText(/^Email it for me/));
    expect(screen.getByText(/Sent after 9 AM/)).toBeTruthy();
    pay();
    await screen.findByText('Enter their email.');
    expect(document.activeElement).toBe(screen.getByLabelText(/Their Email/));
    fill(/Their Email/, 'ben@friends.test');
    pay();
    await waitFor(() => expect(server.count(ORDER)).toBe(1));
    expect(sent(server)).toMatchObject({ delivery: 'email', recipient_email: 'ben@friends.test' });
  });
});

test('a paid gift can be printed and refunded; a redeemed one is only listed', async () => {
  const redeemed = { ...GIFT, id: GIFT.id.replace(/a$/, 'b'), status: 'redeemed', redeemed_at: GIFT.paid_at };
  stubServer({ 'GET /api/customers/own': me, 'GET /api/tiers': TIERS, 'GET /api/gifts': [GIFT, redeemed] });
  openApp('/gift');
  await screen.findByText(/Not redeemed yet\./);
  expect(screen.getAllByRole('link', { name: 'Show Card' })).toHaveLength(1);
  expect(screen.getAllByRole('button', { name: 'Refund' })).toHaveLength(1);
});

test('after payment, the buyer gets a link to the card, or reads when the email goes out', async () => {
  const CHECK = `POST /api/gifts/${GIFT.id}/check`;
  const { answers } = stubServer({ 'GET /api/customers/own': me, 'GET /api/tiers': TIERS, [CHECK]: GIFT });
  openApp(`/gift?paid=${GIFT.id}`);
  await screen.findByText('Thank you, your gift is ready');
  expect(screen.getByRole('link', { name: 'Show Card' }).getAttribute('href')).toBe(`/gift/${GIFT.id}`);
  cleanup();
  const email = { delivery: 'email', recipient_email: 'cleo@friends.test', send_on: '2026-12-24' };
  answers[CHECK] = { ...GIFT, ...email };
  openApp(`/gift?paid=${GIFT.id}`);
  await screen.findByText(/We’ll email it to cleo@friends\.test on 12\/24\/2026 after 9 AM\./);
  expect(screen.queryByRole('link', { name: 'Show Card' })).toBeNull();
});

test('an empty code is reported, not sent; the offer takes the focus from its form', async () => {
  const { count } = stubServer({ 'GET /api/customers/own': me, 'POST /api/gifts/look': OFFER });
  openApp('/redeem');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await screen.findByText('Enter the code of your gift.');
  expect(count('POST /api/gifts/look')).toBe(0);
  fireEvent.change(screen.getByLabelText('Your Code'), { target: { value: 'ABCD-EFGH-JKMN-PQRS-TVWX' } });
  expect(screen.queryByText('Enter the code of your gift.')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  const offer = await screen.findByRole('heading', { name: 'For Ben' });
  await waitFor(() => expect(document.activeElement).toBe(offer));
});

test('the card shows its code, and where to redeem it', async () => {
  stubServer({
    'GET /api/customers/own': me,
    'GET /api/gifts': [GIFT],
    [`POST /api/gifts/${GIFT.id}/code`]: { code: 'ABCD-EFGH-JKMN-PQRS-TVWX' },
  });
  openApp(`/gift/${GIFT.id}`);
  await screen.findByText('ABCD-EFGH-JKMN-PQRS-TVWX');
  expect(screen.getByRole('img', { name: 'Code to redeem the gift' })).toBeTruthy();
});

test('a code in the URL is looked up, and a member reads what to do with it', async () => {
  const { calls } = stubServer({
    'GET /api/customers/own': me,
    'POST /api/gifts/look': OFFER,
    'POST /api/gifts/redeem': refusal(409, 'GIFT_REFUSED', 'This is not possible for this gift.', {
      reason: 'member',
    }),
  });
  openApp('/redeem#ABCD-EFGH-JKMN-PQRS-TVWX');
  await screen.findByText('6 months of Select: 4 pours every month');
  fireEvent.click(screen.getByRole('button', { name: 'Start My Membership' }));
  await screen.findByText(/Keep the code: it does not expire/);
  await waitFor(() =>
    expect(calls.filter(({ call }) => call === 'POST /api/gifts/redeem')).toMatchObject([
      { body: { code: 'ABCD-EFGH-JKMN-PQRS-TVWX' } },
    ]),
  );
});

test('a member by gift sees the last day of the membership, and that nothing is charged', async () => {
  const ends = {
    last_day: '2026-09-14',
    ends_at: '2026-09-15T00:00:00.000Z',
    is_gift: true,
    by_member: false,
  };
  const own = {
    ...me,
    customer,
    ends,
    pours: { ...availablePours, resets_at: Date.parse(ends.ends_at) / 1000 },
  };
  stubServer({ 'GET /api/customers/own': own });
  openApp('/dashboard');
  await screen.findByText('A gift through 9/14/2026');
  await screen.findByText('Ends with your membership on 9/14/2026');
  cleanup();
  openApp('/account');
  await screen.findByText(/Your membership is a gift, through 9\/14\/2026\. You are not charged/);
  expect(screen.queryByText(/billed at the venue/)).toBeNull();
});

test('a gift’s glasses reset until its last month', async () => {
  const ends = {
    last_day: '2026-09-14',
    ends_at: '2026-09-15T00:00:00.000Z',
    is_gift: true,
    by_member: false,
  };
  const resets_at = Date.parse('2026-08-15T00:00:00.000Z') / 1000;
  stubServer({
    'GET /api/customers/own': { ...me, customer, ends, pours: { ...availablePours, resets_at } },
  });
  openApp('/dashboard');
  await screen.findByText('A gift through 9/14/2026');
  expect(screen.queryByText(/Ends with your membership/)).toBeNull();
});

test('an email that was sent can be sent again, and the buyer reads when and where', async () => {
  const sent = {
    ...GIFT,
    delivery: 'email',
    recipient_email: 'ben@example.test',
    send_on: '2026-06-20',
    sent_at: '2026-06-20T14:00:00.000Z',
  };
  const server = stubServer({
    'GET /api/customers/own': me,
    'GET /api/tiers': TIERS,
    'GET /api/gifts': [sent],
    [`PUT /api/gifts/${GIFT.id}/email`]: { ...sent, sent_at: null },
  });
  openApp('/gift');
  fireEvent.click(await screen.findByRole('button', { name: 'Send Again' }));
  await screen.findByRole('heading', { name: 'Send the Email Again' });
  const [, send] = screen.getAllByRole('button', { name: 'Send Again' });
  fireEvent.click(send!);
  await screen.findByText('We’ll send it again');
  screen.getByText('The email goes to ben@example.test today.');
  expect(server.calls.filter(({ call }) => call.endsWith('/email'))).toHaveLength(1);
});
