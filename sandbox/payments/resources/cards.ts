import type { CheckoutSession, PaymentMethod } from '../http/wire.ts';

/** How a card behaves when charged. `authenticated`: 3-D Secure was completed once for it. */
export interface CardBehavior {
  kind:
    | 'pays'
    | 'declined'
    | 'no_funds'
    | 'expired'
    | 'authenticates'
    | 'always_authenticates'
    | 'fails_later';
  authenticated: boolean;
}

export interface TestCard {
  number: string;
  kind: CardBehavior['kind'];
  brand: string;
  what: string;
}

/**
 * The test cards. 0341 is declined in the checkout, as at Stripe; it can be saved in the portal, but every charge fails, so
 * a renewal fails. 3155 requires 3-D Secure once, when it is entered; renewals then succeed. 3184 requires 3-D Secure on
 * every charge, so its renewals wait for the cardholder.
 */
export const TEST_CARDS: TestCard[] = [
  { number: '4242424242424242', kind: 'pays', brand: 'visa', what: 'Pays' },
  { number: '5555555555554444', kind: 'pays', brand: 'mastercard', what: 'Pays (Mastercard)' },
  { number: '4000000000000002', kind: 'declined', brand: 'visa', what: 'Declined' },
  { number: '4000000000009995', kind: 'no_funds', brand: 'visa', what: 'Insufficient funds' },
  { number: '4000002500003155', kind: 'authenticates', brand: 'visa', what: 'Requires 3-D Secure' },
  {
    number: '4000002760003184',
    kind: 'always_authenticates',
    brand: 'visa',
    what: '3-D Secure on every charge',
  },
  { number: '4000000000000341', kind: 'fails_later', brand: 'visa', what: 'Can be saved, then fails' },
  { number: '4000000000000069', kind: 'expired', brand: 'visa', what: 'Declined: expired' },
];

export interface Decline {
  code: string;
  decline_code?: string;
  message: string;
}

/** The bank's answer without a reason of its own. */
export const DECLINED: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};

/** The bank's reason for declining a charge; null if it approves. 3-D Secure is decided elsewhere. */
export function bankDecline(card: CardBehavior): Decline | null {
  if (card.kind === 'declined' || card.kind === 'fails_later') return DECLINED;
  if (card.kind === 'no_funds')
    return {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    };
  if (card.kind === 'expired') return { code: 'expired_card', message: 'Your card has expired.' };
  return null;
}

/** Whether the bank requires 3-D Secure for a charge. */
export function requiresAuthentication(card: CardBehavior): boolean {
  return card.kind === 'always_authenticates' || (card.kind === 'authenticates' && !card.authenticated);
}

export interface CardEntry {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

export interface EnteredCard {
  number: string;
  month: number;
  year: number;
  kind: CardBehavior['kind'];
  brand: string;
}

export type CardField = 'number' | 'expiry' | 'cvc' | 'name';

/** A typed test card, or a message for each wrong field. `now` in seconds. */
export function readCard(entry: CardEntry, now: number): EnteredCard | Partial<Record<CardField, string>> {
  const problems: Partial<Record<CardField, string>> = {};
  const number = entry.number.replaceAll(/[\s-]/g, '');
  const card = TEST_CARDS.find((card) => card.number === number);
  if (number === '') problems.number = 'Enter a card number.';
  else if (!/^\d{13,19}$/.test(number) || !luhn(number)) problems.number = 'Your card number is invalid.';
  else if (!card) problems.number = 'Only test cards work here. Do not enter a real card.';

  const expiry = /^\s*(\d{1,2})\s*[/\-\s]?\s*(\d{4}|\d{2})\s*$/.exec(entry.expiry);
  const month = Number(expiry?.[1]);
  const year = Number(expiry?.[2]?.length === 2 ? `20${expiry[2]}` : expiry?.[2]);
  if (!expiry || month < 1 || month > 12) problems.expiry = 'Enter the expiration date as month and year.';
  else if (Date.UTC(year, month, 1) / 1000 <= now)
    problems.expiry = "Your card's expiration date is in the past.";
  else if (year > new Date(now * 1000).getUTCFullYear() + 50)
    problems.expiry = "Your card's expiry year is invalid.";

  if (!/^\d{3,4}$/.test(entry.cvc.trim())) problems.cvc = "Your card's security code is incomplete.";
  if (entry.name.trim() === '') problems.name = 'Enter the name on the card.';
  if (Object.keys(problems).length > 0 || !card) return problems;
  return { number, month, year, kind: card.kind, brand: card.brand };
}

function luhn(number: string): boolean {
  let sum = 0;
  for (const [place, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** The wallets offered beside the card form. A card in Apple Pay or Google Pay is a card; Link is not. */
export const WALLETS = { apple_pay: 'Apple wallet', google_pay: 'Google wallet', link: 'Link' } as const;
export type Wallet = keyof typeof WALLETS;

const NEEDS = { apple_pay: 'card', google_pay: 'card', link: 'link' } as const;

/** The wallets that a session can be paid with: turned on by the shop and allowed by the session. */
export function offeredWallets(turnedOn: string[], { payment_method_types }: CheckoutSession): Wallet[] {
  return (['apple_pay', 'google_pay', 'link'] as const).filter(
    (wallet) => turnedOn.includes(wallet) && payment_method_types.includes(NEEDS[wallet]),
  );
}

/** Puts a card into a wallet; with Link, the payment method is no longer a card. */
export function putInto(wallet: Wallet, method: PaymentMethod): void {
  if (wallet !== 'link') {
    if (method.card) method.card.wallet = { type: wallet, dynamic_last4: null, [wallet]: {} };
    return;
  }
  method.type = 'link';
  delete method.card;
  method.link = { email: method.billing_details.email };
}
