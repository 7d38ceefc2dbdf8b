import type Stripe from 'stripe';
import { localDate } from '../../src/domain/calendar.ts';
import { adopt } from '../../src/server/billing/adoption/adopt.ts';
import { fetchCustomer } from '../../src/server/billing/adoption/customer-at-stripe.ts';
import { createStripe } from '../../src/server/billing/stripe-client.ts';
import type { Services } from '../../src/server/context.ts';
import { sql } from '../../src/server/db/orm.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { imported_account, profiles } from '../../src/server/db/schema.ts';
import { demoEmail } from './names.ts';

/** The history of members who pay by card, so that the demo has a member in each standing. */
type Fate = 'pays' | 'ends' | 'pauses' | 'is overdue' | 'paid late' | 'left';

const PEOPLE: [first: string, last: string, tier: string, days: number, fate: Fate][] = [
  ['Uche', 'Okafor', 'premier', 26, 'pays'],
  ['Henrik', 'Solberg', 'select', 9, 'pays'],
  ['Paloma', 'Ibarra', 'elite', 19, 'pays'],
  ['Desmond', 'Achebe', 'select', 4, 'pays'],
  ['Yuna', 'Kim', 'premier', 14, 'pays'],
  ['Margot', 'Delacroix', 'household', 22, 'pays'],
  ['Callum', 'Frasier', 'premier', 17, 'ends'],
  ['Noemi', 'Castellani', 'select', 11, 'ends'],
  ['Bashir', 'Rahimi', 'premier', 20, 'pauses'],
  ['Freya', 'Lindqvist', 'elite', 7, 'pauses'],
  ['Gideon', 'Mensah', 'premier', 24, 'is overdue'],
  ['Tova', 'Bergström', 'select', 12, 'is overdue'],
  ['Rosalind', 'Achterberg', 'premier', 15, 'paid late'],
  ['Obinna', 'Madu', 'select', 21, 'left'],
];
const DAY_SECONDS = 86_400;

/** Members who pay by card at the sandbox, imported like a venue's subscriptions. Does nothing if one exists already. */
export async function writeCardMembers(
  services: Services,
  account: { secretKey: string; apiUrl: string },
): Promise<void> {
  const { db } = services;
  const [row] = await rowsOf(db, sql`select 1 from profiles where email = ${emailOf(PEOPLE[0])}`);
  if (row) return;
  const stripe = createStripe(account);
  const prices = await pricesAt(services, stripe);
  for (const [nth, person] of PEOPLE.entries()) await writeCardMember(services, stripe, prices, person, nth);
}

const emailOf = (person: (typeof PEOPLE)[number] | undefined) =>
  person ? demoEmail(person[0], person[1]) : '';

/** The venue's own prices, one for each tier, and the cost of each tier. */
async function pricesAt({ db, currency }: Services, stripe: Stripe): Promise<Map<string, string>> {
  const tiers = await rowsOf<{ name: string; shown: string; cents: number }>(
    db,
    sql`select tier_name as name, display_name as shown, monthly_price_cents as cents from tier_definitions`,
  );
  const names = new Set(PEOPLE.map(([, , tier]) => tier));
  const prices = new Map<string, string>();
  for (const { name, shown, cents } of tiers.filter((it) => names.has(it.name))) {
    prices.set(name, await createPrice(stripe, `${shown}, founding members`, { name, cents, currency }));
  }
  return prices;
}

/** A price that the import of subscriptions takes for that tier's. Returns its id. */
export async function createPrice(
  stripe: Stripe,
  product: string,
  { name, cents, currency }: { name: string; cents: number; currency: string },
): Promise<string> {
  const { id } = await stripe.prices.create({
    product: (await stripe.products.create({ name: product })).id,
    currency,
    unit_amount: cents,
    recurring: { interval: 'month' },
    metadata: { tier: name },
  });
  return id;
}

/** A monthly subscription of a new customer with a card that pays, from now or a time in the past (seconds). */
export async function subscribe(
  stripe: Stripe,
  { email, name, price, since }: { email: string; name: string; price: string; since?: number },
): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ email, name });
  await payWith(stripe, customer.id, 'pm_card_visa');
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price }],
    backdate_start_date: since,
  });
}

async function writeCardMember(
  services: Services,
  stripe: Stripe,
  prices: Map<string, string>,
  person: (typeof PEOPLE)[number],
  nth: number,
): Promise<void> {
  const [first_name, last_name, tier, days, fate] = person;
  const price = prices.get(tier);
  if (!price) return;
  const now = services.now();
  // Each at a different time of day, some hours before the time of this start.
  const startedAt = Math.floor(now.getTime() / 1000) - days * DAY_SECONDS - ((nth * 137) % 480) * 60;
  const email = emailOf(person);
  const name = `${first_name} ${last_name}`;
  const subscription = await subscribe(stripe, { email, name, price, since: startedAt });
  const customer = String(subscription.customer);
  const atStripe = await fetchCustomer(services.billing, customer);
  if (!atStripe) return;
  const user_id = services.newId();
  const at = new Date(startedAt * 1000);
  await services.db.transaction(async (tx) => {
    const fields = { id: user_id, name, email, emailVerified: true, first_name, last_name };
    await tx.insert(profiles).values({ ...fields, createdAt: at, updatedAt: at });
    await tx.insert(imported_account).values({ user_id, imported_at: at });
    await adopt(tx, services.billing, {
      user_id,
      stripe_customer_id: customer,
      stripe_subscription_id: subscription.id,
      tier,
      started_on: localDate(at, services.venue.time_zone),
      snapshot: atStripe.snapshot,
    });
    // The sandbox charges a backdated subscription today, like Stripe.
    await tx.execute(sql`
      with paid as (update billing_payment set created_at = ${at} where user_id = ${user_id}),
           known as (update billing_customer set created_at = ${at} where user_id = ${user_id}),
           subscribed as (update billing_subscription set created_at = ${at} where user_id = ${user_id}),
           begun as (update memberships m set began_at = ${at} from customers c
                      where c.id = m.customer_id and c.user_id = ${user_id})
      update customers set created_at = ${at} where user_id = ${user_id}`);
  });
  await applyFate(fate, stripe, subscription, services);
}

const makeDefault = (stripe: Stripe, customer: string, method: Stripe.PaymentMethod) =>
  stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });

async function payWith(stripe: Stripe, customer: string, card: string): Promise<void> {
  await makeDefault(stripe, customer, await stripe.paymentMethods.attach(card, { customer }));
}

async function applyFate(
  fate: Fate,
  stripe: Stripe,
  { id, customer }: Stripe.Subscription,
  { now }: Services,
): Promise<void> {
  const payer = String(customer);
  if (fate === 'ends') await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  if (fate === 'left') await stripe.subscriptions.cancel(id);
  if (fate === 'pauses') {
    const resumes_at = Math.floor(now().getTime() / 1000) + 75 * DAY_SECONDS;
    await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at } });
  }
  if (fate === 'is overdue' || fate === 'paid late') {
    await payWith(stripe, payer, 'pm_card_chargeCustomerFail');
    // A new period begins, and its charge fails.
    await stripe.subscriptions.update(id, {
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    });
  }
  if (fate === 'paid late') {
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: payer });
    const [invoice] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data;
    // Paid before the card is the default: then the club would pay it by itself, at the same moment.
    if (invoice?.id) await stripe.invoices.pay(invoice.id, { payment_method: card.id });
    await makeDefault(stripe, payer, card);
  }
}
