import type { Page } from '@playwright/test';
import { changeOwn, pressed, type Scene, showsText } from './scene.ts';

const CODE = '7K2M-Q9XD-4TRB-W0HN-5VCE';
const ID = '0197b1f0-0000-7000-8000-0000000000d1';
const GIFT = {
  ...{
    id: ID,
    tier: 'select',
    months: 6,
    amount: 23_400,
    currency: 'usd',
    from_name: 'Nadia',
    to_name: 'Ben',
  },
  ...{ message: 'Happy birthday! Come and taste with me.', delivery: 'card', recipient_email: null },
  ...{ send_on: null, sent_at: null, status: 'paid', disputed: false, redeemed_at: null },
  paid_at: '2026-11-15T12:00:00.000Z',
};
const BY_EMAIL = {
  to_name: 'Cleo',
  delivery: 'email',
  recipient_email: 'cleo@friends.test',
  send_on: '2026-12-24',
};
const REDEEMED = {
  to_name: 'Ada',
  message: null,
  status: 'redeemed',
  redeemed_at: '2026-11-20T12:00:00.000Z',
};
const GIFTS = [
  GIFT,
  { ...GIFT, ...BY_EMAIL, id: ID.replace('d1', 'd2'), months: 3, amount: 11_700 },
  { ...GIFT, ...REDEEMED, id: ID.replace('d1', 'd3'), months: 12, amount: 46_800 },
];
const OFFER = {
  ...{
    tier: 'select',
    tier_label: 'Select',
    monthly_pours: 4,
    months: 6,
    from_name: 'Nadia',
    to_name: 'Ben',
  },
  ...{ message: 'Happy birthday! Come and taste with me.', redeemed: false },
};

const answering = (call: string, json: unknown, path: string) => async (page: Page, url: string) => {
  await page.route(call, (route) => route.fulfill({ json }));
  await page.goto(url + path);
};

/** The card to print, with a code that belongs to no gift. */
async function showingCard(page: Page, url: string): Promise<void> {
  await page.route('**/api/gifts', (route) => route.fulfill({ json: GIFTS }));
  await page.route(`**/api/gifts/${ID}/code`, (route) => route.fulfill({ json: { code: CODE } }));
  await page.goto(`${url}/gift/${ID}`);
}

/** Enters a code that the server refuses, with a reason. */
async function refusing(page: Page, url: string): Promise<void> {
  await page.route('**/api/gifts/look', (route) =>
    route.fulfill({
      status: 409,
      json: { code: 'GIFT_REFUSED', message: 'This cannot be done.', data: { reason: 'member' } },
    }),
  );
  await page.goto(`${url}/redeem#${CODE}`);
}

/** A membership that is a gift, on the page that says so. */
const asGift = (path: string) => async (page: Page, url: string) => {
  const ends = { last_day: '2027-04-30', ends_at: '2027-05-01T04:00:00.000Z', is_gift: true };
  await changeOwn(page, () => ({ ends }));
  await page.goto(url + path);
};

async function invited(page: Page, url: string): Promise<void> {
  const json = { email: 'noor@club.example', needs: 'name and password' };
  await page.route('**/api/team-invitations/read', (route) => route.fulfill({ json }));
  await page.goto(`${url}/invitation#${'x'.repeat(43)}`);
}

/** Scenes of gifts, and of the pages that a link in an email opens. */
export const giftScenes: Scene[] = [
  { name: 'gift-first', who: 'member', path: '/gift', settled: showsText(/Pay \$/) },
  {
    name: 'gift-given',
    who: 'member',
    open: answering('**/api/gifts', GIFTS, '/gift'),
    settled: showsText(/Redeemed on/),
  },
  {
    name: 'gift-by-email',
    who: 'member',
    path: '/gift',
    settled: async (page) => {
      await page.getByLabel('Email it for me').check();
      await page.getByLabel('Their Email').waitFor();
    },
  },
  {
    name: 'gift-paid',
    who: 'member',
    open: async (page, url) => {
      await page.route(`**/api/gifts/${ID}/check`, (route) => route.fulfill({ json: GIFT }));
      await answering('**/api/gifts', GIFTS, `/gift?paid=${ID}`)(page, url);
    },
    settled: showsText('Thank you, your gift is ready'),
  },
  { name: 'gift-card', who: 'member', open: showingCard, settled: showsText(CODE) },
  {
    name: 'gift-card-print',
    who: 'member',
    open: async (page, url) => {
      await showingCard(page, url);
      await showsText(CODE)(page);
      await page.emulateMedia({ media: 'print' });
    },
    settled: showsText(CODE),
  },
  { name: 'redeem', who: 'newcomer', path: '/redeem', settled: showsText('Your Code') },
  {
    name: 'redeem-wrong',
    who: 'newcomer',
    path: '/redeem',
    settled: async (page) => {
      await page.getByRole('textbox', { name: 'Your Code' }).fill('7K2M-Q9XD-4TRB-W0HN-0000');
      await pressed('Continue', 'code')(page);
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'redeem-offer',
    who: 'newcomer',
    open: answering('**/api/gifts/look', OFFER, `/redeem#${CODE}`),
    settled: showsText('Start My Membership'),
  },
  { name: 'redeem-member', who: 'member', open: refusing, settled: showsText('Keep the code') },
  { name: 'dashboard-gift', who: 'member', open: asGift('/dashboard'), settled: showsText(/A gift through/) },
  { name: 'account-gift', who: 'member', open: asGift('/account'), settled: showsText(/is a gift, through/) },
  { name: 'invitation', who: 'visitor', open: invited, settled: showsText('choose a password') },
];
