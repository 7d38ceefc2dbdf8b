import { expect, test, vi } from 'vitest';
import { forms } from '../../../src/contract/forms/forms.ts';
import { cardBrand, cardExpiry, statusLabel } from '../../../src/web/format/billing-labels.ts';
import { centsPerMonth, formatDollars } from '../../../src/web/format/money.ts';
import { greeting } from '../../../src/web/member/dashboard/greeting.ts';
import { readField } from '../../../src/web/ui/read-field.ts';
import { newPasswordAlert } from '../../../src/web/visitor/new-password.ts';

test.each(['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])(
  'a calendar day is that day in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    vi.resetModules();
    const { dateOfDay, monthOfDay } = await import('../../../src/web/format/dates.ts');
    expect(dateOfDay('2024-03-01')).toBe('3/1/2024');
    expect(monthOfDay('2024-03-01')).toBe('March 2024');
  },
);

test('a new password: the exact alerts, the mismatch first', () => {
  const alertFor = (password: string, confirm_password: string) => {
    const reading = readField(forms.signUp.fields.password, password);
    return newPasswordAlert(
      { password, confirm_password },
      'error' in reading ? { password: reading.error } : {},
    );
  };
  expect(alertFor('short', 'other')).toMatchObject({ text: 'Passwords do not match' });
  expect(alertFor('short12', 'short12')).toMatchObject({
    text: 'Password must be at least 8 characters',
    field: 'password',
  });
  expect(alertFor('long enough', 'long enough')).toBeNull();
});

test('billing: cents with two decimals, brand, expiry, status', () => {
  expect(centsPerMonth(3900)).toBe('$39.00 per month');
  expect(centsPerMonth(4905)).toBe('$49.05 per month');
  expect(cardBrand('visa')).toBe('Visa');
  expect(cardBrand('amex')).toBe('American Express');
  expect(cardExpiry(4, 2031)).toBe('04/2031');
  expect(statusLabel('past_due')).toBe('Past due');
});

test('prices are in dollars', () => {
  expect(formatDollars(39)).toBe('$39');
  expect(formatDollars(39.5)).toBe('$39.50');
});

test.each([
  [4, 'Good evening, Ada'],
  [5, 'Good morning, Ada'],
  [12, 'Good afternoon, Ada'],
  [18, 'Good evening, Ada'],
])('at %i: %s', (hour, text) => {
  expect(greeting('Ada', hour)).toBe(text);
});
