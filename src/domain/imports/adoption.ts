import { isEnded, standingOf } from '../standing.ts';
import { splitFullName } from './full-name.ts';

// docs/rules/imports.md, "Taking over subscriptions from Stripe".

/** Why a subscription at Stripe is not taken over. */
export const ADOPTION_PROBLEMS = [
  'email_missing_at_stripe',
  'email_wrong_at_stripe',
  'name_missing_at_stripe',
  'no_membership',
  'membership_not_first',
  'several_memberships',
  'two_subscriptions',
  'not_monthly',
  'other_currency',
  'no_fixed_price',
  'invoiced',
  'on_schedule',
  'ended',
  'never_paid',
  'overdue',
  'stopped',
  'staff_account',
  'account_unconfirmed',
  'billed_at_venue',
  'shares',
  'pays_here',
  'taken_over',
  'other_account',
] as const;
export type AdoptionProblem = (typeof ADOPTION_PROBLEMS)[number];

/** Remarks for staff about a subscription that is taken over. */
export const ADOPTION_REMARKS = [
  'trial',
  'ending',
  'paused',
  'discounted',
  'other_amount',
  'add_ons',
  'other_subscription',
  'own_card',
  'other_program',
  'new_password',
] as const;
export type AdoptionRemark = (typeof ADOPTION_REMARKS)[number];

/** A subscription found at Stripe, with the data that decides whether it can be taken over. Stored as JSON. */
export interface FoundSubscription {
  id: string;
  customer: string;
  /** In lowercase. */
  email: string | null;
  name: string | null;
  /** The account id in the customer's metadata. */
  user_id: string | null;
  status: string;
  /** The price of the membership's item: the first item, unless the metadata of another item's price name a tier. */
  price: string;
  product: string;
  /** The tier in the price's metadata. */
  price_tier: string | null;
  /** Null for a usage-based price. */
  unit_cents: number | null;
  quantity: number;
  currency: string;
  /** 'month', '3 months', 'year'. */
  interval: string;
  other_prices: string[];
  /** Billed by invoices that the member pays manually. */
  invoiced: boolean;
  scheduled: boolean;
  discounted: boolean;
  /** The subscription charges its own card, while the customer's default is another. */
  own_card: boolean;
  /** Created by another program connected to Stripe. */
  other_program: boolean;
  paused: boolean;
  cancel_at_period_end: boolean;
  /** Instants as ISO text in UTC. */
  cancel_at: string | null;
  period_end: string;
  started_at: string;
}

/** The account with the customer's email, with what decides whether the membership may become its own. */
export interface KnownAccount {
  user_id: string;
  is_staff: boolean;
  /** Nobody can sign in to the account, or its email is confirmed and it can be taken from a stranger who made it. */
  is_theirs: boolean;
  /** Whether the ways to sign in end and the email gets a link to a new password: isProven does not hold. */
  loses_password: boolean;
  billed_at_venue: boolean;
  /** The user is a partner in another household. */
  is_partner: boolean;
  stripe_customer: string | null;
}

export interface AdoptionFacts {
  /** Tiers by the prices that staff chose for them; `amount_cents` is the tier's current price. */
  tierOfPrice: ReadonlyMap<string, { tier: string; amount_cents: number }>;
  currency: string;
  isEmail(text: string): boolean;
  isName(text: string): boolean;
  now: Date;
  account: KnownAccount | null;
  /** The account that already has this Stripe customer. */
  owner: string | null;
  /** Other subscriptions, not ended, of this customer or of one with the same email. */
  others: readonly Pick<FoundSubscription, 'price' | 'other_prices'>[];
}

/** The result of taking a subscription over, or the reason it is not possible. */
export type AdoptionVerdict =
  | { tier: string; becomes: 'found' | 'made'; problems: []; remarks: AdoptionRemark[] }
  | { tier: null; becomes: null; problems: [AdoptionProblem]; remarks: [] };

/** Decides about one subscription. Reports the first problem. */
export function judgeAdoption(subscription: FoundSubscription, facts: AdoptionFacts): AdoptionVerdict {
  const problem = problemOf(subscription, facts);
  const tier = facts.tierOfPrice.get(subscription.price);
  if (problem || !tier) {
    return { tier: null, becomes: null, problems: [problem ?? 'no_membership'], remarks: [] };
  }
  const origin = facts.account ? 'found' : 'made';
  return {
    tier: tier.tier,
    becomes: origin,
    problems: [],
    remarks: remarksOf(subscription, facts, tier.amount_cents),
  };
}

function problemOf(subscription: FoundSubscription, facts: AdoptionFacts): AdoptionProblem | null {
  return (
    priceProblem(subscription, facts) ??
    stateProblem(subscription, facts) ??
    accountProblem(subscription, facts)
  );
}

function priceProblem(subscription: FoundSubscription, facts: AdoptionFacts): AdoptionProblem | null {
  const isTier = (price: string) => facts.tierOfPrice.has(price);
  const otherPrices = subscription.other_prices.filter(isTier);
  if (!isTier(subscription.price)) return otherPrices.length > 0 ? 'membership_not_first' : 'no_membership';
  if (otherPrices.length > 0 || subscription.quantity !== 1) return 'several_memberships';
  if (facts.others.some((it) => isTier(it.price) || it.other_prices.some(isTier))) return 'two_subscriptions';
  if (subscription.unit_cents === null) return 'no_fixed_price';
  if (subscription.currency !== facts.currency) return 'other_currency';
  if (subscription.interval !== 'month') return 'not_monthly';
  if (subscription.invoiced) return 'invoiced';
  return subscription.scheduled ? 'on_schedule' : null;
}

/** An overdue payment would begin grace here, and be canceled at its end, without anyone's agreement. */
function stateProblem(subscription: FoundSubscription, { now }: AdoptionFacts): AdoptionProblem | null {
  const { status, cancel_at_period_end } = subscription;
  if (isEnded(status)) return 'ended';
  if (status === 'incomplete') return 'never_paid';
  if (status === 'past_due' || status === 'unpaid') return 'overdue';
  const state = {
    status,
    cancel_at_period_end,
    current_period_end: new Date(subscription.period_end),
    cancel_at: subscription.cancel_at ? new Date(subscription.cancel_at) : null,
    grace_until: null,
  };
  const standing = standingOf(state, now);
  if (standing === 'ended') return 'ended';
  return standing === 'active' || standing === 'ending' ? null : 'stopped';
}

function accountProblem(subscription: FoundSubscription, facts: AdoptionFacts): AdoptionProblem | null {
  const { account, owner } = facts;
  if (!subscription.email) return 'email_missing_at_stripe';
  if (!facts.isEmail(subscription.email)) return 'email_wrong_at_stripe';
  if (owner) return owner === account?.user_id ? 'taken_over' : 'other_account';
  if (!account) return namesOf(subscription.name, facts) ? null : 'name_missing_at_stripe';
  if (account.is_staff) return 'staff_account';
  if (!account.is_theirs) return 'account_unconfirmed';
  if (account.billed_at_venue) return 'billed_at_venue';
  if (account.is_partner) return 'shares';
  return account.stripe_customer ? 'pays_here' : null;
}

function remarksOf(
  subscription: FoundSubscription,
  { others, account }: AdoptionFacts,
  tier_cents: number,
): AdoptionRemark[] {
  const applies: Record<AdoptionRemark, boolean> = {
    trial: subscription.status === 'trialing',
    ending: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    paused: subscription.paused,
    discounted: subscription.discounted,
    other_amount: subscription.unit_cents !== tier_cents,
    add_ons: subscription.other_prices.length > 0,
    other_subscription: others.length > 0,
    own_card: subscription.own_card,
    other_program: subscription.other_program,
    new_password: account?.loses_password ?? false,
  };
  return ADOPTION_REMARKS.filter((remark) => applies[remark]);
}

/** First and last name from Stripe's single name, whose last word is the last name. Null unless there are both. */
export function namesOf(
  name: string | null,
  { isName }: Pick<AdoptionFacts, 'isName'>,
): { first_name: string; last_name: string } | null {
  const { first_name, last_name } = splitFullName((name ?? '').replaceAll(/\s+/g, ' ').trim(), 'last_word');
  return first_name && last_name && isName(first_name) && isName(last_name)
    ? { first_name, last_name }
    : null;
}

/** A price found at Stripe, with its assumed tier; null for no membership. */
export interface FoundPrice {
  price: string;
  product: string;
  name: string;
  price_tier: string | null;
  unit_cents: number | null;
  currency: string;
  interval: string;
  subscriptions: number;
  tier: string | null;
}

/** The tier that a price seems to belong to, by names and amount; null if they do not say. Staff correct it. */
export function guessTier(
  { name, price_tier, unit_cents, interval }: Omit<FoundPrice, 'tier'>,
  tiers: readonly { tier_name: string; display_name: string; monthly_price_cents: number }[],
): string | null {
  const match = tiers.find(({ tier_name }) => tier_name === price_tier);
  if (match) return match.tier_name;
  const words = name.toLowerCase();
  const matches = tiers.filter((it) => words.includes(it.display_name.toLowerCase()));
  if (matches.length === 1 && matches[0]) return matches[0].tier_name;
  if (interval !== 'month') return null;
  const samePrice = tiers.filter(({ monthly_price_cents }) => monthly_price_cents === unit_cents);
  return samePrice.length === 1 && samePrice[0] ? samePrice[0].tier_name : null;
}
