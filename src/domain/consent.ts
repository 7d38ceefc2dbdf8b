import { monthsLeftText } from './membership/dues.ts';

export interface JoiningTerms {
  club_name: string;
  /** In years; 0 for none. */
  minimum_age: number;
  /** The URL of the club's terms; null if it has none. */
  terms_url: string | null;
}

/** The text beside a button. Pressing the button agrees to it. docs/rules/membership.md, "Consent". */
export interface ConsentWords {
  /** Changes whenever the words or the link change. */
  version: string;
  text: string;
  /** The part of the text that links to the club's terms. */
  terms: { label: string; url: string } | null;
}

/** An offered or owned membership; `price` is the charge as displayed, of a month unless said otherwise: '$39.00'. */
export interface MonthlyPrice {
  tier: string;
  price: string;
}

/** FNV-1a over UTF-8, 64 bits, in hex: the same words have the same version everywhere. */
function versionOf(words: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(words)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** A venue's promises: ['confirm that you are at least 21 years old', 'accept the terms of Cellar Door']. */
function promises({ club_name, minimum_age, terms_url }: JoiningTerms) {
  const label = `the terms of ${club_name}`;
  const parts = [
    ...(minimum_age > 0 ? [`confirm that you are at least ${minimum_age} years old`] : []),
    ...(terms_url ? [`accept ${label}`] : []),
  ];
  return { parts, terms: terms_url ? { label, url: terms_url } : null };
}

/** 'a', 'a and b', 'a, b, and c' */
function listed(parts: string[]): string {
  if (parts.length < 3) return parts.join(' and ');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}

function words(text: string, terms: ConsentWords['terms']): ConsentWords {
  return { version: versionOf(`${text}\n${terms?.url ?? ''}`), text, terms };
}

/** The text beside 'Create Account'; null if the venue requires nothing. */
export function accountConsent(venue: JoiningTerms): ConsentWords | null {
  const { parts, terms } = promises(venue);
  return parts.length > 0 ? words(`By creating an account, you ${listed(parts)}.`, terms) : null;
}

/** The consent for an account that the club made: docs/rules/imports.md, "Moving in and out". */
export function importedConsent(venue: JoiningTerms): ConsentWords | null {
  const { parts, terms } = promises(venue);
  return parts.length > 0 ? words(`By continuing, you ${listed(parts)}.`, terms) : null;
}

/** The consent for accepting a shared membership: docs/rules/households.md, "Household". */
export function householdConsent(venue: JoiningTerms): ConsentWords | null {
  const { parts, terms } = promises(venue);
  return parts.length > 0 ? words(`By joining, you ${listed(parts)}.`, terms) : null;
}

/** What a tier's 'Continue to Payment' charges, and when. */
export function subscriptionCharge({ tier, price }: MonthlyPrice): string {
  return `We’ll charge your card ${price} for ${tier} today, then every month until you cancel.`;
}

/** What every 'Continue to Payment' agrees to, whatever its tier charges. */
export function subscriptionAgreement(venue: JoiningTerms): ConsentWords {
  const { parts, terms } = promises(venue);
  const promise = listed(['agree to the monthly charge', ...parts]);
  return words(`You can cancel anytime in your account. By continuing to payment, you ${promise}.`, terms);
}

/** The consent of one tier's 'Continue to Payment': its charge and the agreement. */
export function subscriptionConsent(venue: JoiningTerms, offer: MonthlyPrice): ConsentWords {
  const { text, terms } = subscriptionAgreement(venue);
  return words(`${subscriptionCharge(offer)} ${text}`, terms);
}

/** The consent of 'Pay by Card', for a member at the venue: a first charge once what is paid there is over, or today if it is. */
export function cardConsent(
  venue: JoiningTerms,
  { tier, price, overdue }: MonthlyPrice & { overdue: boolean },
): ConsentWords {
  if (overdue) return subscriptionConsent(venue, { tier, price });
  const { text, terms } = subscriptionAgreement(venue);
  return words(
    `We’ll charge your card ${price} for ${tier} when the months you’ve paid for are over, then every month until you cancel. ${text}`,
    terms,
  );
}

/** The consent of 'Continue to Payment' for a year: one charge, and no renewal. */
export function yearConsent(venue: JoiningTerms, { tier, price }: MonthlyPrice): ConsentWords {
  const { parts, terms } = promises(venue);
  return words(
    `We’ll charge your card ${price} once, for a year of ${tier}. It doesn’t renew: it ends by itself. By continuing to payment, you ${listed(['agree to this charge', ...parts])}.`,
    terms,
  );
}

/** The consent of 'Continue to Payment' for a dearer tier in the months that are left of a year. */
export function tierUpConsent(
  venue: JoiningTerms,
  { tier, months, price }: MonthlyPrice & { months: number },
): ConsentWords {
  const { parts, terms } = promises(venue);
  return words(
    `We’ll charge your card ${price} once, for ${tier} in ${monthsLeftText(months)} of your year. It doesn’t renew: it ends with the year. By continuing to payment, you ${listed(['agree to this charge', ...parts])}.`,
    terms,
  );
}

/** The text beside the button that pays for a gift: '3 months of Select'. */
export function giftConsent(
  venue: JoiningTerms,
  { tier, months, price }: MonthlyPrice & { months: number },
): ConsentWords {
  const { parts, terms } = promises(venue);
  return words(
    `We’ll charge your card ${price} once for a gift of ${months} months of ${tier}. It doesn’t renew, and you can get a full refund until it’s redeemed. By continuing, you ${listed(['agree to this', ...parts])}.`,
    terms,
  );
}

/** The text beside the button that redeems a gift. */
export function giftAcceptance(venue: JoiningTerms): ConsentWords {
  const { parts, terms } = promises(venue);
  return words(
    `Your membership starts today and ends on its own, and you won’t be charged. By continuing, you ${listed(['agree to this', ...parts])}.`,
    terms,
  );
}

/**
 * The renewal terms for emails to a member, with what remains after canceling: 'Your Select membership is $39.00 per
 * month. ...'
 */
export function renewalTerms({ tier, price }: MonthlyPrice): string {
  return (
    `Your ${tier} membership is ${price} per month. It renews monthly, and we charge your card, until you cancel. ` +
    'You can cancel anytime in your account and keep access through the month you’ve paid for.'
  );
}

/** The club's minimum age and the URL of its terms, for emails. Empty if it has neither. */
export function joiningTerms({ minimum_age, terms_url }: JoiningTerms): string {
  return [
    ...(minimum_age > 0 ? [`You must be ${minimum_age} or older to be a member.`] : []),
    ...(terms_url ? [`Our terms: ${terms_url}`] : []),
  ].join(' ');
}
