import { describe, expect, it, test } from 'vitest';
import {
  accountConsent,
  joiningTerms,
  renewalTerms,
  subscriptionAgreement,
  subscriptionCharge,
  subscriptionConsent,
} from '../../src/domain/consent.ts';

const venue = { club_name: 'Test Cellar', minimum_age: 21, terms_url: 'https://club.example/terms' };
const offer = { tier: 'Select', price: '$39.00' };

describe('beside Create Account', () => {
  test.each([
    [
      venue,
      'By creating an account, you confirm that you are at least 21 years old and accept the terms of Test Cellar.',
    ],
    [
      { ...venue, terms_url: null },
      'By creating an account, you confirm that you are at least 21 years old.',
    ],
    [{ ...venue, minimum_age: 0 }, 'By creating an account, you accept the terms of Test Cellar.'],
    [{ ...venue, minimum_age: 0, terms_url: null }, undefined],
  ])('%j: %s', (terms, text) => {
    expect(accountConsent(terms)?.text).toBe(text);
  });

  it('links the terms by words that are in the text', () => {
    const { text, terms } = accountConsent(venue) ?? {};
    expect(terms?.url).toBe(venue.terms_url);
    expect(text).toContain(terms?.label);
  });
});

describe('beside Continue to Payment', () => {
  it('says price, interval, that it renews, and how to cancel', () => {
    expect(subscriptionConsent(venue, offer).text).toBe(
      'We’ll charge your card $39.00 for Select today, then every month until you cancel. You can cancel anytime in your account. ' +
        'By continuing to payment, you agree to the monthly charge, confirm that you are at least 21 years old, and accept the terms of Test Cellar.',
    );
  });

  it('is the charge of one tier, then what the button of every tier agrees to', () => {
    const { text, terms } = subscriptionAgreement(venue);
    expect(subscriptionConsent(venue, offer)).toMatchObject({
      text: `${subscriptionCharge(offer)} ${text}`,
      terms,
    });
    expect(text).toContain(terms?.label);
  });

  it('is agreed to even if the venue asks for nothing else', () => {
    const bare = subscriptionConsent({ ...venue, minimum_age: 0, terms_url: null }, offer);
    expect(bare.text).toMatch(
      /in your account\. By continuing to payment, you agree to the monthly charge\.$/,
    );
    expect(bare.terms).toBeNull();
    expect(subscriptionConsent({ ...venue, minimum_age: 0 }, offer).text).toMatch(
      /you agree to the monthly charge and accept the terms of Test Cellar\.$/,
    );
  });
});

describe('the version', () => {
  it('is the same for the same words', () => {
    expect(subscriptionConsent(venue, offer)).toEqual(subscriptionConsent({ ...venue }, { ...offer }));
  });

  test.each([
    ['the price', venue, { ...offer, price: '$45.00' }],
    ['the tier', venue, { ...offer, tier: 'Élite' }],
    ['the age', { ...venue, minimum_age: 18 }, offer],
    ['where the terms are', { ...venue, terms_url: 'https://club.example/new-terms' }, offer],
  ])('changes when %s changes', (_, terms, changed) => {
    const { version } = subscriptionConsent(terms, changed);
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    expect(version).not.toBe(subscriptionConsent(venue, offer).version);
  });
});

test('an email says price, interval, and what canceling leaves', () => {
  expect(renewalTerms(offer)).toBe(
    'Your Select membership is $39.00 per month. It renews monthly, and we charge your card, until you cancel. ' +
      'You can cancel anytime in your account and keep access through the month you’ve paid for.',
  );
});

test('an email states the minimum age and the link to the terms, if there are any', () => {
  expect(joiningTerms(venue)).toBe(
    'You must be 21 or older to be a member. Our terms: https://club.example/terms',
  );
  expect(joiningTerms({ ...venue, minimum_age: 0, terms_url: null })).toBe('');
});
