import type { FoundSubscription } from '../../../domain/imports/adoption.ts';
import { isEnded } from '../../../domain/standing.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { and, eq, inArray, isNull } from '../../db/orm.ts';
import { billing_customer, profiles } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { productId } from '../catalog.ts';
import { readTiers } from '../state/known-tiers.ts';
import { type KnownTiers, tierSold } from '../state/membership-item.ts';
import { unlessMissing } from '../stripe-errors.ts';
import { listOfCustomer, listRunning } from './found-subscriptions.ts';

/** A running subscription on a price of the club, of a customer without an account here. */
export interface UnknownSubscription {
  stripe_subscription_id: string;
  stripe_customer_id: string;
  name: string | null;
  /** In lowercase. */
  email: string | null;
  /** Null if the price is for no tier of this database. */
  tier: string | null;
  /** Null for a usage-based price. */
  amount_cents: number | null;
  currency: string;
  /** 'month', '3 months', 'year'. */
  interval: string;
  /** An instant as ISO text in UTC. */
  started_at: string;
  /** The account here that the customer's metadata names, if it has no other customer: reconciling connects it. */
  user_id: string | null;
}

type Reading = Pick<BillingDeps, 'db' | 'stripe'>;

/** Every unknown subscription of the account at Stripe, newest first. Throws Stripe's errors. */
export async function listUnknownSubscriptions({ db, stripe }: Reading): Promise<UnknownSubscription[]> {
  const tiers = await readTiers(db);
  const unknown: UnknownSubscription[] = [];
  let last: string | null = null;
  do {
    const page = await listRunning(stripe, tiers, last);
    unknown.push(...(await unknownAmong(db, tiers, page.found)));
    last = page.last;
  } while (last !== null);
  return unknown;
}

/** The unknown subscriptions of one customer at Stripe; none if it no longer exists. Throws Stripe's other errors. */
export async function unknownOfCustomer(
  { db, stripe }: Reading,
  customer: string,
): Promise<UnknownSubscription[]> {
  const tiers = await readTiers(db);
  return unknownAmong(db, tiers, (await unlessMissing(listOfCustomer(stripe, tiers, customer))) ?? []);
}

async function unknownAmong(
  db: BillingDeps['db'],
  tiers: KnownTiers,
  all: FoundSubscription[],
): Promise<UnknownSubscription[]> {
  const paid = all.filter((it) => isPaid(it) && isOnClubPrice(it, tiers));
  if (paid.length === 0) return [];
  const rows = await db
    .select({ customer: billing_customer.stripe_customer_id })
    .from(billing_customer)
    .where(
      inArray(
        billing_customer.stripe_customer_id,
        paid.map(({ customer }) => customer),
      ),
    );
  const here = new Set(rows.map(({ customer }) => customer));
  const unknown = paid.filter(({ customer }) => !here.has(customer));
  const accounts = await accountsWithoutCustomer(db, unknown);
  return unknown.map((it) => ({
    stripe_subscription_id: it.id,
    stripe_customer_id: it.customer,
    name: it.name,
    email: it.email,
    tier: tierOf(it, tiers),
    amount_cents: it.unit_cents === null ? null : it.unit_cents * it.quantity,
    currency: it.currency,
    interval: it.interval,
    started_at: it.started_at,
    user_id: accounts.has(it.user_id ?? '') ? it.user_id : null,
  }));
}

/** Whether it was paid and has not ended. */
const isPaid = ({ status }: FoundSubscription) => !isEnded(status) && status !== 'incomplete';

const priceOf = ({ price, product, price_tier, interval }: FoundSubscription) => ({
  stripe_price_id: price,
  stripe_product_id: product,
  price_tier,
  is_monthly: interval === 'month',
});

const tierOf = (it: FoundSubscription, tiers: KnownTiers): string | null =>
  tierSold(priceOf(it), tiers) ??
  tiers.tierOfProduct.get(it.product) ??
  (tiers.monthlyPours.has(it.price_tier ?? '') ? it.price_tier : null);

/** A product of ours may be of a tier that an older backup does not have. */
const isOnClubPrice = (it: FoundSubscription, tiers: KnownTiers): boolean =>
  tierOf(it, tiers) !== null || (it.price_tier !== null && it.product === productId(it.price_tier));

/** The accounts named in metadata that exist and have no customer at Stripe. */
async function accountsWithoutCustomer(
  db: BillingDeps['db'],
  subscriptions: FoundSubscription[],
): Promise<Set<string | null>> {
  const named = subscriptions.flatMap(({ user_id }) => (user_id && isUuid(user_id) ? [user_id] : []));
  if (named.length === 0) return new Set();
  const rows = await db
    .select({ id: profiles.id })
    .from(profiles)
    .leftJoin(billing_customer, eq(billing_customer.user_id, profiles.id))
    .where(and(inArray(profiles.id, named), isNull(profiles.erased_at), isNull(billing_customer.user_id)));
  return new Set(rows.map(({ id }) => id));
}
