import { expect, test } from 'vitest';
import { newPassword } from '../../../src/contract/forms/credentials.ts';
import { greeting } from '../../../src/domain/dashboard.ts';
import { cardBrand, paymentMethodLabel, stripeLabel } from '../../../src/domain/payment-method.ts';
import { cardExpiry } from '../../../src/web/format/billing-labels.ts';
import { perMonth, tierPrice } from '../../../src/web/format/money.ts';
import { readField } from '../../../src/web/ui/read-field.ts';
import { newPasswordAlert } from '../../../src/web/visitor/auth-fields.tsx';

test('a new password: the exact alerts, the mismatch first', () => {
  const alertFor = (password: string, confirm_password: string) => {
    const reading = readField(newPassword, password);
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
  const usd = { currency: 'usd', tax_behavior: 'unspecified' } as const;
  expect(perMonth(3900, usd)).toBe('$39.00 per month');
  expect(perMonth(4905, usd)).toBe('$49.05 per month');
  expect(cardBrand('visa')).toBe('Visa');
  expect(cardBrand('amex')).toBe('American Express');
  expect(cardExpiry(4, 2031)).toBe('04/2031');
  expect(stripeLabel('past_due')).toBe('Past due');
});

test('a payment method: a card with its wallet, anything else by its name', () => {
  const card = { type: 'card', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, wallet: null };
  expect(paymentMethodLabel(card)).toBe('Visa •••• 4242');
  expect(paymentMethodLabel({ ...card, wallet: 'apple_pay' })).toBe('Visa •••• 4242 (Apple Pay)');
  expect(paymentMethodLabel({ ...card, wallet: 'link' })).toBe('Visa •••• 4242 (Link)');
  const none = { brand: null, last4: null, exp_month: null, exp_year: null, wallet: null };
  expect(paymentMethodLabel({ ...none, type: 'link' })).toBe('Link');
  expect(paymentMethodLabel({ ...none, type: 'sepa_debit' })).toBe('SEPA Direct Debit');
});

test('prices are in dollars', () => {
  expect(tierPrice(39)).toBe('$39');
  expect(tierPrice(39.5)).toBe('$39.50');
});

test.each([
  [4, 'Good\u00a0evening, Ada'],
  [5, 'Good\u00a0morning, Ada'],
  [12, 'Good\u00a0afternoon, Ada'],
  [18, 'Good\u00a0evening, Ada'],
])('at %i: %s', (hour, text) => {
  expect(greeting('Ada', hour)).toBe(text);
});
