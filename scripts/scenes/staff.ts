import type { Page } from '@playwright/test';
import { pressed, type Scene, words } from './scene.ts';

const typed = (placeholder: string, text: string, then: string) => async (page: Page) => {
  await page.getByPlaceholder(placeholder).fill(text);
  await words(then)(page);
};
const find = (text: string, then: string) => typed('Search by name or email', text, then);

/** Opens the demo member's page the way staff do. */
async function openMember(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/staff/dashboard`);
  await find('Okafor', 'Marguerite')(page);
  await page.getByRole('link', { name: /Marguerite/ }).click();
  await words('Lifetime Pours')(page);
}

async function openApplication(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/staff/applications`);
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click();
  await words('Application Details')(page);
}

async function openAddPour(page: Page, url: string): Promise<void> {
  await openMember(page, url);
  await page.getByRole('link', { name: /pour/i }).first().click();
}

export const staffScenes: Scene[] = [
  { name: 'staff-dashboard', who: 'staff', path: '/staff/dashboard', settled: words('Recent Members') },
  { name: 'staff-found', who: 'staff', path: '/staff/dashboard', settled: find('a', 'Marguerite') },
  { name: 'staff-none', who: 'staff', path: '/staff/dashboard', settled: find('zzzz', 'No customers found') },
  {
    name: 'staff-scanner',
    who: 'staff',
    path: '/staff/search',
    settled: (page) => page.getByRole('button', { name: 'Enter Code Manually' }).waitFor(),
  },
  {
    name: 'staff-scanner-detected',
    who: 'staff',
    path: '/staff/search',
    settled: words('QR Code Detected!'),
  },
  {
    name: 'staff-manual',
    who: 'staff',
    path: '/staff/search',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Enter Code Manually' }).click();
      await page.getByPlaceholder('Paste QR code here...').waitFor();
    },
  },
  {
    name: 'staff-manual-refused',
    who: 'staff',
    path: '/staff/search',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Enter Code Manually' }).click();
      await page.getByPlaceholder('Paste QR code here...').fill('not a card');
      await pressed('Verify Code', 'Invalid or expired QR code')(page);
    },
  },
  { name: 'staff-customer', who: 'staff', open: openMember, settled: words('Pour History') },
  {
    name: 'staff-customer-none',
    who: 'staff',
    path: '/staff/customers/00000000-0000-7000-8000-000000000000',
    settled: words('Customer not found'),
  },
  { name: 'staff-add-pour', who: 'staff', open: openAddPour, settled: words('Record Pour') },
  {
    name: 'staff-add-pour-unknown',
    who: 'staff',
    path: '/staff/customers/00000000-0000-7000-8000-000000000000/add-pour',
    settled: words('Customer information not available'),
  },
  {
    name: 'staff-add-membership',
    who: 'staff',
    path: '/staff/customers/00000000-0000-7000-8000-000000000000/add-membership',
    settled: words('Coming soon'),
  },
  { name: 'staff-applications', who: 'staff', path: '/staff/applications', settled: words('View Details') },
  {
    name: 'staff-applications-none',
    who: 'staff',
    path: '/staff/applications',
    settled: typed('Search by name or email...', 'zzzz', 'No applications found'),
  },
  {
    name: 'staff-application',
    who: 'staff',
    open: openApplication,
    settled: (page) => page.getByRole('button', { name: 'Approve Application' }).waitFor(),
  },
  {
    name: 'staff-approve',
    who: 'staff',
    open: openApplication,
    settled: pressed('Approve Application', 'point-of-sale reference number'),
  },
  {
    name: 'staff-reject',
    who: 'staff',
    open: openApplication,
    settled: pressed('Reject Application', 'Rejection Notes (Optional)'),
  },
  {
    name: 'staff-application-none',
    who: 'staff',
    path: '/staff/applications/00000000-0000-7000-8000-000000000000',
    settled: words('Application not found'),
  },
];
