import type { Page } from '@playwright/test';
import { changeDocument, type Scene, scene, showsText } from './scene.ts';

const whenOff = (path: string) => async (page: Page, url: string) => {
  await changeDocument(page, '"payments":"on"', '"payments":"off"');
  await page.goto(url + path);
};

export const paymentsOffScenes: Scene[] = [
  scene('payments-off-welcome', 'newcomer', whenOff('/dashboard'), 'You pay at the bar'),
  scene('payments-off-tiers', 'halfway', whenOff('/apply'), 'Pay at the Venue'),
  scene('payments-off-dashboard', 'unpaid', whenOff('/dashboard'), (page) =>
    page.getByRole('dialog', { name: 'Pay at the Venue' }).waitFor(),
  ),
  scene('payments-off-later', 'unpaid', whenOff('/dashboard'), async (page) => {
    await page.getByRole('button', { name: 'Done' }).click();
    await showsText('Your membership starts when you pay')(page);
  }),
  scene('payments-off-gift', 'member', whenOff('/gift'), 'You can’t buy a gift here'),
  scene('payments-off-stripe', 'staff', whenOff('/staff/payments'), 'STRIPE_SECRET_KEY'),
  scene('payments-off-settings', 'staff', whenOff('/staff/settings'), 'Save Bar'),
  scene('payments-off-reports', 'staff', whenOff('/staff/reports'), 'Received at the till'),
  scene('payments-off-start', 'staff', whenOff('/staff/start'), async (page) => {
    await page.getByRole('button', { name: 'Later' }).click();
    await showsText('STRIPE_SECRET_KEY')(page);
  }),
];
