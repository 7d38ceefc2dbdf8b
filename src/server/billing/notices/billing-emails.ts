import { joiningTerms, renewalTerms } from '../../../domain/consent.ts';
import { amountPerMonth, amountWithTax } from '../../../domain/money.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { composeEmail, type Email, longDate, type Venue } from '../../mail/email.ts';
import type { BillingNotice } from '../billing-context.ts';
import { giftLetters } from './gift-letters.ts';
import { letterFacts, partnerFacts } from './letter-facts.ts';
import { type LetterWriters, type Words, writeLetter } from './letter-words.ts';
import { membershipLetters } from './membership-letters.ts';
import { type PartnersNews, partnerLetter } from './partner-letters.ts';
import { paymentLetters } from './payment-letters.ts';
import { tierLetters } from './tier-letters.ts';

const LETTERS: LetterWriters<BillingNotice['type']> = {
  ...giftLetters,
  ...membershipLetters,
  ...paymentLetters,
  ...tierLetters,
};

/** The email about a billing notice: what changed, and what the member can do. `label` gives a tier's display name. */
export function billingEmail(
  notice: BillingNotice,
  firstName: string,
  venue: Venue,
  label: (tier: string) => string = tierLabel,
): Email {
  const words = wordsFor(venue, label);
  const { subject, content } = writeLetter(LETTERS, notice, words);
  const head = { ...letterFacts(notice, words), first_name: firstName };
  return composeEmail(venue, head, subject, content, 'membership');
}

/** The email to the partner about a notice of the membership they share. `holder` is whose it is. */
export function partnerEmail(
  notice: PartnersNews,
  { holder, firstName }: { holder: string; firstName: string },
  venue: Venue,
): Email {
  const words = wordsFor(venue, tierLabel);
  const { subject, content } = partnerLetter(notice, words);
  const whose = `This is about ${holder}'s membership, which you share.`;
  const head = { ...partnerFacts(notice, holder, words), first_name: firstName };
  return composeEmail(venue, head, subject, [whose, ...content], 'membership');
}

function wordsFor(venue: Venue, label: (tier: string) => string): Words {
  return {
    label,
    time_zone: venue.time_zone,
    day: (date) => longDate(date, venue.time_zone),
    renews: ({ tier, monthly_cents, currency, tax_behavior }) =>
      renewalTerms({ tier: label(tier), price: amountWithTax(monthly_cents, currency, tax_behavior) }),
    changes(change) {
      if (!change) return [];
      const price = amountPerMonth(change.monthly_cents, change.currency, change.tax_behavior);
      return [`From ${longDate(change.from, venue.time_zone)}, you pay ${price} for ${label(change.tier)}.`];
    },
    club: [joiningTerms(venue)].filter(Boolean),
    account: (button = 'Open My Account') => ({ button, url: `${venue.public_url}/account` }),
    dashboard: { button: 'Open My Dashboard', url: `${venue.public_url}/dashboard` },
    household: { button: 'See Your Household', url: `${venue.public_url}/household` },
    gifts: { button: 'Open My Gifts', url: `${venue.public_url}/gift` },
    renew: { button: 'Renew My Membership', url: `${venue.public_url}/apply` },
  };
}
