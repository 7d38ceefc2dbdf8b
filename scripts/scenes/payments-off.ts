import type { Page } from '@playwright/test';
import { type Scene, showsText } from './scene.ts';

/** Opens a page as a club without a key of Stripe serves it. */
const whenOff = (path: string) => async (page: Page, url: string) => {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replace('"payments":"on"', '"payments":"off"');
    await route.fulfill({ response, body });
  });
  await page.goto(url + path);
};

export const paymentsOffScenes: Scene[] = [
  {
    name: 'payments-off-welcome',
    who: 'newcomer',
    open: whenOff('/dashboard'),
    settled: showsText('You pay at the bar'),
  },
  {
    name: 'payments-off-tiers',
    who: 'halfway',
    open: whenOff('/apply'),
    settled: showsText('Pay at the Venue'),
  },
  {
    name: 'payments-off-dashboard',
    who: 'unpaid',
    open: whenOff('/dashboard'),
    settled: (page) => page.getByRole('dialog', { name: 'Pay at the Venue' }).waitFor(),
  },
  {
    name: 'payments-off-later',
    who: 'unpaid',
    open: whenOff('/dashboard'),
    settled: async (page) => {
      await page.getByRole('button', { name: 'Done' }).click();
      await showsText('Your membership starts when you pay')(page);
    },
  },
  {
    name: 'payments-off-gift',
    who: 'member',
    open: whenOff('/gift'),
    settled: showsText('You can’t buy a gift here'),
  },
  {
    name: 'payments-off-stripe',
    who: 'staff',
    open: whenOff('/staff/payments'),
    settled: showsText('STRIPE_SECRET_KEY'),
  },
  {
    name: 'payments-off-settings',
    who: 'staff',
    open: whenOff('/staff/settings'),
    settled: showsText('Save Bar'),
  },
  {
    name: 'payments-off-reports',
    who: 'staff',
    open: whenOff('/staff/reports'),
    settled: showsText('At the till'),
  },
  {
    name: 'payments-off-start',
    who: 'staff',
    open: whenOff('/staff/start'),
    settled: async (page) => {
      await page.getByRole('button', { name: 'Later' }).click();
      await showsText('STRIPE_SECRET_KEY')(page);
    },
  },
];
