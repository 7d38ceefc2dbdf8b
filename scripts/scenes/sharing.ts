import type { Page } from '@playwright/test';
import { changeOwn, pressed, type Scene, showsText } from './scene.ts';

interface Sharing {
  role: 'holder' | 'partner';
  pause?: { from: string; until: string; begun: boolean };
}

/** A household of two with each one's pours, seen by one of them. */
const shares =
  (path: string, { role, pause }: Sharing = { role: 'holder' }) =>
  async (page: Page, url: string) => {
    // The member's household is as new as the demo.
    const [since, created_at] = [3, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    const pour = { location: 'main_bar', created_at };
    const json = {
      role,
      other: { first_name: 'Ben', last_name: 'Vine', since },
      obstacle: role === 'holder' ? 'full' : 'shares_already',
      invitation: null,
      pours: [
        { id: '0197b1f0-0000-7000-8000-000000000001', who: 'other', guest: true, quantity: 1, ...pour },
        { id: '0197b1f0-0000-7000-8000-000000000002', who: 'you', guest: false, quantity: 2, ...pour },
      ],
    };
    const household = { role, first_name: 'Ben', pause: pause ?? null, ends_at: null };
    await page.route('**/api/household', (route) => route.fulfill({ json }));
    const guests = { limit: 2, used: 1, can_give: true, glasses: [] };
    await page.route('**/api/guest-glasses', (route) => route.fulfill({ json: guests }));
    await changeOwn(page, ({ pours }) => {
      const shared = { ...pours, pours_used: 3, available_pours: Number(pours.tier_max) - 3 };
      return {
        household,
        ...(role === 'partner' && { decision: null }),
        pours: pause?.begun ? { ...shared, access: false, available_pours: 0 } : shared,
      };
    });
    await page.goto(url + path);
  };
const PAUSE = { from: '2026-11-10T10:00:00.000Z', until: '2027-01-10T10:00:00.000Z', begun: true };

const LINK = 'x'.repeat(43);
const asGuest =
  (obstacle: 'age_not_stated' | 'used' | 'expired' | null) => async (page: Page, url: string) => {
    const glass = { giver_first_name: 'Nadia', expires_at: '2026-11-29T18:00:00.000Z', minimum_age: 21 };
    const json = { ...glass, obstacle, code: obstacle ? null : `guest-${LINK}` };
    await page.route('**/api/guest-glasses/read', (route) => route.fulfill({ json }));
    await page.goto(`${url}/guest#${LINK}`);
  };

/** The month's one guest glass is held. */
async function guestGlasses(page: Page, url: string): Promise<void> {
  const glass = { id: '0197b1f0-0000-7000-8000-0000000000e1', created_at: '2026-11-20T18:00:00.000Z' };
  const held = { ...glass, state: 'held', expires_at: '2026-11-27T18:00:00.000Z' };
  const json = { limit: 1, used: 1, can_give: false, glasses: [held] };
  await page.route('**/api/guest-glasses', (route) => route.fulfill({ json }));
  await page.goto(`${url}/household`);
}

/** The link of a glass that was just given. */
async function newGuestLink(page: Page, url: string): Promise<void> {
  await guestGlasses(page, url);
  await page.route('**/api/guest-glasses/*/link', (route) =>
    route.fulfill({
      status: 201,
      json: { url: `${url}/guest#${LINK}`, expires_at: '2026-11-27T18:00:00.000Z' },
    }),
  );
  await pressed('New Link', 'Copy Link')(page);
}

/** The dashboard of someone who followed an invitation and then signed up. */
async function waiting(page: Page, url: string): Promise<void> {
  await invited(page, url);
  await showsText(/would like to share/)(page);
  await page.goto(`${url}/dashboard`);
}

async function invitedTooLate(page: Page, url: string): Promise<void> {
  await page.route('**/api/household-invitations/read', (route) =>
    route.fulfill({ status: 410, json: { code: 'LINK_EXPIRED', message: 'This link has expired.' } }),
  );
  await page.goto(`${url}/share#${LINK}`);
}

async function invited(page: Page, url: string): Promise<void> {
  const json = { holder_first_name: 'Nadia', expires_at: '2026-11-29T18:00:00.000Z', consent: null };
  await page.route('**/api/household-invitations/read', (route) => route.fulfill({ json }));
  await page.goto(`${url}/share#${LINK}`);
}

/** The page that a personal email links to. */
async function unsubscribing(page: Page, url: string): Promise<void> {
  await page.route('**/api/letters/unsubscribe', (route) => route.fulfill({ json: { wanted: false } }));
  await page.goto(`${url}/unsubscribe#${LINK}`);
}

/** Scenes of households and guest glasses: members' pages, and the pages that a link opens. */
export const sharingScenes: Scene[] = [
  { name: 'household-invite', who: 'fresh', path: '/household', settled: showsText('Email an Invitation') },
  {
    name: 'household-code',
    who: 'fresh',
    path: '/household',
    settled: pressed('Show a Code Instead', 'Copy Link'),
  },
  {
    name: 'dashboard-partner',
    who: 'fresh',
    open: shares('/dashboard', { role: 'partner' }),
    settled: showsText('Ben’s membership'),
  },
  {
    name: 'dashboard-partner-paused',
    who: 'fresh',
    open: shares('/dashboard', { role: 'partner', pause: PAUSE }),
    settled: showsText('Ben’s membership'),
  },
  {
    name: 'card-partner-paused',
    who: 'fresh',
    open: shares('/qr-code', { role: 'partner', pause: PAUSE }),
    settled: showsText('membership is paused'),
  },
  {
    name: 'household-partner',
    who: 'fresh',
    open: shares('/household', { role: 'partner' }),
    settled: showsText('This Month'),
  },
  { name: 'household-shared', who: 'fresh', open: shares('/household'), settled: showsText('This Month') },
  {
    name: 'dashboard-shared',
    who: 'fresh',
    open: shares('/dashboard'),
    settled: showsText('Shared with Ben'),
  },
  {
    name: 'guest-age',
    who: 'visitor',
    open: asGuest('age_not_stated'),
    settled: showsText('I Am at Least 21'),
  },
  {
    name: 'guest-code',
    who: 'visitor',
    open: asGuest(null),
    settled: showsText('Show this code at the bar'),
  },
  { name: 'guest-used', who: 'visitor', open: asGuest('used'), settled: showsText('has been used') },
  { name: 'unsubscribe', who: 'visitor', open: unsubscribing, settled: showsText('Turn Off') },
  {
    name: 'unsubscribe-off',
    who: 'visitor',
    open: unsubscribing,
    settled: pressed('Turn Off', 'Open Notifications'),
  },
  {
    name: 'unsubscribe-wrong',
    who: 'visitor',
    path: `/unsubscribe#${LINK}`,
    settled: pressed('Turn Off', /This link does not work/),
  },
  { name: 'guest-expired', who: 'visitor', open: asGuest('expired'), settled: showsText('has expired') },
  {
    name: 'household-guest',
    who: 'member',
    open: guestGlasses,
    settled: showsText('Waiting for your guest'),
  },
  {
    name: 'household-link',
    who: 'member',
    open: newGuestLink,
    settled: showsText('We show this link only now'),
  },
  { name: 'dashboard-invited', who: 'newcomer', open: waiting, settled: showsText('See the Invitation') },
  { name: 'share-expired', who: 'visitor', open: invitedTooLate, settled: showsText('for a new one') },
  {
    name: 'share-member',
    who: 'member',
    open: async (page, url) => {
      await page.route('**/api/household-invitations/accept', (route) =>
        route.fulfill({
          status: 409,
          json: { code: 'HOUSEHOLD_REFUSED', message: 'No.', data: { reason: 'own_membership' } },
        }),
      );
      await invited(page, url);
    },
    settled: pressed('Join', 'You have a membership of your own'),
  },
  { name: 'share', who: 'visitor', open: invited, settled: showsText('Create an Account') },
];
