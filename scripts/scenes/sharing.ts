import type { Page } from '@playwright/test';
import { answering, changeOwn, pressed, type Scene, scene, showsText, stub } from './scene.ts';

interface Sharing {
  role: 'holder' | 'partner';
  pause?: { from: string; until: string; begun: boolean };
}

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
    await stub(page, '**/api/household', json);
    const guests = { limit: 2, used: 1, can_give: true, glasses: [] };
    await stub(page, '**/api/guest-glasses', guests);
    await changeOwn(page, ({ pours }) => {
      const sharedPours = { ...pours, pours_used: 3, available_pours: Number(pours.tier_max) - 3 };
      return {
        household,
        ...(role === 'partner' && { decision: null }),
        pours: pause?.begun ? { ...sharedPours, access: false, available_pours: 0 } : sharedPours,
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
    await stub(page, '**/api/guest-glasses/read', json);
    await page.goto(`${url}/guest#${LINK}`);
  };

async function guestGlasses(page: Page, url: string): Promise<void> {
  const glass = { id: '0197b1f0-0000-7000-8000-0000000000e1', created_at: '2026-11-20T18:00:00.000Z' };
  const heldGlass = { ...glass, state: 'held', expires_at: '2026-11-27T18:00:00.000Z' };
  const json = { limit: 1, used: 1, can_give: false, glasses: [heldGlass] };
  await stub(page, '**/api/guest-glasses', json);
  await page.goto(`${url}/household`);
}

/** The link of a glass that was just given. */
async function newGuestLink(page: Page, url: string): Promise<void> {
  await guestGlasses(page, url);
  await stub(
    page,
    '**/api/guest-glasses/*/link',
    { url: `${url}/guest#${LINK}`, expires_at: '2026-11-27T18:00:00.000Z' },
    201,
  );
  await pressed('New Link', 'Copy Link')(page);
}

/** The dashboard of someone who followed an invitation and then signed up. */
async function waiting(page: Page, url: string): Promise<void> {
  await invitation(page, url);
  await showsText(/would like to share/)(page);
  await page.goto(`${url}/dashboard`);
}

const invitedTooLate = answering(
  '**/api/household-invitations/read',
  { code: 'LINK_EXPIRED', message: 'This link has expired.' },
  `/share#${LINK}`,
  410,
);

const invitation = answering(
  '**/api/household-invitations/read',
  { holder_first_name: 'Nadia', expires_at: '2026-11-29T18:00:00.000Z', consent: null },
  `/share#${LINK}`,
);

const unsubscription = answering(
  '**/api/personal-emails/unsubscribe',
  { wanted: false },
  `/unsubscribe#${LINK}`,
);

const formerPartner = async (page: Page, url: string) => {
  await changeOwn(page, ({ customer }) => ({
    customer: { ...(customer as object), status: 'inactive' },
    household: null,
    has_free_seat: false,
    former_household: { ended_by: 'tier', first_name: 'Ben' },
  }));
  await page.goto(`${url}/dashboard`);
};

/** Right after the payment for a membership for two. */
const paidForTwo = async (page: Page, url: string) => {
  await changeOwn(page, () => ({ has_free_seat: true }));
  await page.goto(`${url}/payment-success?session_id=cs_1`);
};

const cancelingForTwo = async (page: Page, url: string) => {
  await changeOwn(page, () => ({
    household: { role: 'holder', first_name: 'Ben', pause: null, ends_at: null },
  }));
  await page.goto(`${url}/account`);
};

export const sharingScenes: Scene[] = [
  scene('dashboard-former-partner', 'fresh', formerPartner, 'no longer share it'),
  scene('payment-success-for-two', 'fresh', paidForTwo, 'Invite Your Partner'),
  scene(
    'account-cancel-for-two',
    'cardholder',
    cancelingForTwo,
    pressed('Cancel Subscription', 'Ben shares your membership'),
  ),
  scene('household-invite', 'fresh', '/household', 'Email an Invitation'),
  scene('household-code', 'fresh', '/household', pressed('Show a Code Instead', 'Copy Link')),
  scene('dashboard-partner', 'fresh', shares('/dashboard', { role: 'partner' }), 'Ben’s membership'),
  scene(
    'dashboard-partner-paused',
    'fresh',
    shares('/dashboard', { role: 'partner', pause: PAUSE }),
    'Ben’s membership',
  ),
  scene(
    'card-partner-paused',
    'fresh',
    shares('/qr-code', { role: 'partner', pause: PAUSE }),
    'membership is paused',
  ),
  scene('household-partner', 'fresh', shares('/household', { role: 'partner' }), 'This Month'),
  scene('household-shared', 'fresh', shares('/household'), 'This Month'),
  scene('dashboard-shared', 'fresh', shares('/dashboard'), 'Shared with Ben'),
  scene('guest-age', 'visitor', asGuest('age_not_stated'), 'I Am at Least 21'),
  scene('guest-code', 'visitor', asGuest(null), 'Show this code at the bar'),
  scene('guest-used', 'visitor', asGuest('used'), 'has been used'),
  scene('unsubscribe', 'visitor', unsubscription, 'Turn Off'),
  scene('unsubscribe-off', 'visitor', unsubscription, pressed('Turn Off', 'Open Notifications')),
  scene(
    'unsubscribe-wrong',
    'visitor',
    `/unsubscribe#${LINK}`,
    pressed('Turn Off', /This link does not work/),
  ),
  scene('guest-expired', 'visitor', asGuest('expired'), 'has expired'),
  scene('household-guest', 'member', guestGlasses, 'Waiting for your guest'),
  scene('household-link', 'member', newGuestLink, 'We show this link only now'),
  scene('dashboard-invited', 'newcomer', waiting, 'See the Invitation'),
  scene('share-expired', 'visitor', invitedTooLate, 'for a new one'),
  scene(
    'share-member',
    'member',
    async (page, url) => {
      await stub(
        page,
        '**/api/household-invitations/accept',
        { code: 'HOUSEHOLD_REFUSED', message: 'No.', data: { reason: 'own_membership' } },
        409,
      );
      await invitation(page, url);
    },
    pressed('Join', 'You have a membership of your own'),
  ),
  scene('share', 'visitor', invitation, 'Create an Account'),
];
