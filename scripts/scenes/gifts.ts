import type { Page } from '@playwright/test';
import { answering, changeOwn, pressed, type Scene, scene, showsText, stub } from './scene.ts';

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

async function showingCard(page: Page, url: string): Promise<void> {
  await stub(page, '**/api/gifts', GIFTS);
  await stub(page, `**/api/gifts/${ID}/code`, { code: CODE });
  await page.goto(`${url}/gift/${ID}`);
}

const refusal = answering(
  '**/api/gifts/look',
  { code: 'GIFT_REFUSED', message: 'This cannot be done.', data: { reason: 'member' } },
  `/redeem#${CODE}`,
  409,
);

const asGiven = (path: string, by: 'is_gift' | 'on_the_house') => async (page: Page, url: string) => {
  const until = { last_day: '2027-04-30', ends_at: '2027-05-01T04:00:00.000Z' };
  const ends = { ...until, is_gift: false, on_the_house: false, by_member: false, [by]: true };
  await changeOwn(page, () => ({ ends, dues: null }));
  await page.goto(url + path);
};

const invitation = answering(
  '**/api/team-invitations/read',
  { email: 'noor@club.example', needs: 'name and password' },
  `/invitation#${'x'.repeat(43)}`,
);

export const giftScenes: Scene[] = [
  scene('gift-first', 'member', '/gift', /Pay \$/),
  scene('gift-given', 'member', answering('**/api/gifts', GIFTS, '/gift'), /Redeemed on/),
  scene('gift-by-email', 'member', '/gift', async (page) => {
    await page.getByLabel('Email it for me').check();
    await page.getByLabel('Their Email').waitFor();
  }),
  scene(
    'gift-paid',
    'member',
    async (page, url) => {
      await stub(page, `**/api/gifts/${ID}/check`, GIFT);
      await answering('**/api/gifts', GIFTS, `/gift?paid=${ID}`)(page, url);
    },
    'Thank you, your gift is ready',
  ),
  scene('gift-card', 'member', showingCard, CODE),
  scene(
    'gift-card-print',
    'member',
    async (page, url) => {
      await showingCard(page, url);
      await showsText(CODE)(page);
      await page.emulateMedia({ media: 'print' });
    },
    CODE,
  ),
  scene('redeem-visitor', 'visitor', `/redeem#${CODE}`, 'A Gift for You'),
  scene('redeem', 'newcomer', '/redeem', 'Your Code'),
  scene('redeem-wrong', 'newcomer', '/redeem', async (page) => {
    await page.getByRole('textbox', { name: 'Your Code' }).fill('7K2M-Q9XD-4TRB-W0HN-0000');
    await pressed('Continue', 'code')(page);
    await page.getByRole('alert').first().waitFor();
  }),
  scene(
    'redeem-offer',
    'newcomer',
    answering('**/api/gifts/look', OFFER, `/redeem#${CODE}`),
    'Start My Membership',
  ),
  scene('redeem-member', 'member', refusal, 'Keep the code'),
  scene('dashboard-gift', 'member', asGiven('/dashboard', 'is_gift'), /A gift through/),
  scene('account-gift', 'fresh', asGiven('/account', 'is_gift'), /is a gift, through/),
  scene('account-house', 'fresh', asGiven('/account', 'on_the_house'), /is on the house, through/),
  scene('invitation', 'visitor', invitation, 'choose a password'),
];
