import type Stripe from 'stripe';
import {
  addDays,
  addMonths,
  type LocalDate,
  localDate,
  monthsSince,
  startOfDay,
} from '../../src/domain/calendar.ts';
import { adopt } from '../../src/server/billing/adoption/adopt.ts';
import {
  type CustomerAtStripe,
  fetchCustomer,
} from '../../src/server/billing/adoption/customer-at-stripe.ts';
import { createStripe } from '../../src/server/billing/stripe-client.ts';
import type { Services } from '../../src/server/context.ts';
import type { Tx } from '../../src/server/db/client.ts';
import { eq } from '../../src/server/db/orm.ts';
import { memberships, tier_definitions } from '../../src/server/db/schema.ts';
import { createPrice, subscribe } from './card-members.ts';

/** Where the demo's members pay, and the clock that the sandbox and the product share. */
export interface Payments {
  secretKey: string;
  apiUrl: string;
  /** Sets the clock back to a time, or with null to the present. */
  setBack(to: Date | null): void;
}

interface Payer {
  email: string;
  first: string;
  last: string;
  tier: string;
  /** Days ago. */
  joined: number;
}

/** A subscription at the sandbox, as it stood when it began. */
export interface Card {
  since: LocalDate;
  subscription: Stripe.Subscription;
  snapshot: CustomerAtStripe['snapshot'];
}

/**
 * Subscribes a member who joined at the venue, from the last but one beginning of their month, and does `work` while the
 * clock stands there: the renewal since then can roll over what was left.
 */
export async function whileSubscribing<Result>(
  services: Services,
  payments: Payments,
  { email, first, last, tier, joined }: Payer,
  work: (card: Card) => Promise<Result>,
): Promise<Result> {
  const { db, venue, currency } = services;
  const today = localDate(services.now(), venue.time_zone);
  const start = addDays(today, -joined);
  const since = addMonths(start, monthsSince(start, today) - 1);
  const stripe = createStripe(payments);
  const [offer] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier));
  if (!offer) throw new Error(`There is no tier ${tier}`);
  payments.setBack(startOfDay(since, venue.time_zone));
  try {
    const cents = offer.monthly_price_cents;
    const price = await createPrice(stripe, offer.display_name, { name: tier, cents, currency });
    const subscription = await subscribe(stripe, { email, name: `${first} ${last}`, price });
    const customerAtStripe = await fetchCustomer(services.billing, String(subscription.customer));
    if (!customerAtStripe) throw new Error('The sandbox lost a customer');
    return await work({ since, subscription, snapshot: customerAtStripe.snapshot });
  } finally {
    payments.setBack(null);
  }
}

/** Ends a membership at the venue with the day on which the subscription began, and makes that the membership. */
export async function moveToCard(
  tx: Tx,
  { billing }: Services,
  member: { user_id: string; customer_id: string; tier: string },
  { since, subscription, snapshot }: Card,
): Promise<void> {
  await tx
    .update(memberships)
    .set({ status: 'ended', end_date: since })
    .where(eq(memberships.customer_id, member.customer_id));
  await adopt(tx, billing, {
    user_id: member.user_id,
    stripe_customer_id: String(subscription.customer),
    stripe_subscription_id: subscription.id,
    tier: member.tier,
    started_on: since,
    snapshot,
  });
}
