/** What the club asks of those who join; configured by the venue. */
export interface JoiningTerms {
  club_name: string;
  /** In years; 0 for none. */
  minimum_age: number;
  /** Where the club's terms can be read; null where it has none. */
  terms_url: string | null;
}

/** The text beside a button. Pressing the button agrees to it. docs/rules/membership.md, "Consent". */
export interface ConsentWords {
  /** Another one whenever the words or the link change. */
  version: string;
  text: string;
  /** The part of the text that links to the club's terms. */
  terms: { label: string; url: string } | null;
}

/** A membership as it is offered or owned; `price` is the charge of a month as the member reads it: '$39.00'. */
export interface MonthlyPrice {
  tier: string;
  price: string;
}

/** FNV-1a over UTF-8, 64 bits, in hex: the same words have the same version wherever they are made. */
function versionOf(words: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(words)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** What a venue asks for: ['confirm that you are at least 21 years old', 'accept the terms of Cellar Door']. */
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

/** The text beside 'Create Account'; null if the venue asks for nothing. */
export function accountConsent(venue: JoiningTerms): ConsentWords | null {
  const { parts, terms } = promises(venue);
  return parts.length > 0 ? words(`By creating an account, you ${listed(parts)}.`, terms) : null;
}

/** The same for someone whose account the club made: docs/rules/imports.md, "Moving in and out". */
export function importedConsent(venue: JoiningTerms): ConsentWords | null {
  const { parts, terms } = promises(venue);
  return parts.length > 0 ? words(`By continuing, you ${listed(parts)}.`, terms) : null;
}

/** The same for someone who accepts to share another's membership: docs/rules/households.md, "Household". */
export function householdConsent(venue: JoiningTerms): ConsentWords | null {
  const { parts, terms } = promises(venue);
  return parts.length > 0 ? words(`By joining, you ${listed(parts)}.`, terms) : null;
}

/** The text beside 'Continue to Payment': price, interval, that it renews, and how to cancel. */
export function subscriptionConsent(venue: JoiningTerms, { tier, price }: MonthlyPrice): ConsentWords {
  const { parts, terms } = promises(venue);
  const agreed = listed(['agree to this', ...parts]);
  return words(
    `For ${tier}, your card is charged ${price} today and then every month until you cancel, anytime in your account. By continuing, you ${agreed}.`,
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
    `For ${months} months of ${tier} as a gift, your card is charged ${price} once. It does not renew. You can get a full refund until it is redeemed. By continuing, you ${listed(['agree to this', ...parts])}.`,
    terms,
  );
}

/** The text beside the button that redeems one. */
export function giftAcceptance(venue: JoiningTerms): ConsentWords {
  const { parts, terms } = promises(venue);
  return words(
    `Your membership begins today and ends on its own. Nothing is charged. By continuing, you ${listed(['agree to this', ...parts])}.`,
    terms,
  );
}

/** The same once more, for emails to a member, with what canceling leaves: 'Select, $39.00 per month. ...' */
export function renewalTerms({ tier, price }: MonthlyPrice): string {
  return (
    `${tier}, ${price} per month. It renews, and your card is charged, every month until you cancel. ` +
    'Cancel anytime in your account; you keep access until the end of the month you paid for.'
  );
}

/** For emails too: whom the club is for, and where its terms are. Empty where it has neither. */
export function joiningTerms({ minimum_age, terms_url }: JoiningTerms): string {
  return [
    ...(minimum_age > 0 ? [`Members are at least ${minimum_age} years old.`] : []),
    ...(terms_url ? [`Our terms: ${terms_url}`] : []),
  ].join(' ');
}
