import type Stripe from 'stripe';
import type { MemberImport } from '../../../src/contract/staff/imports.ts';
import { eq } from '../../../src/server/db/orm.ts';
import { member_import, profiles } from '../../../src/server/db/schema.ts';
import { stripeCustomerId } from '../billing/member-state.ts';
import { mailTo, tokenIn } from '../fixtures/emails.ts';
import { importOf } from '../fixtures/imports.ts';
import { settleAdoptions } from '../fixtures/stripe-club.ts';
import { PASSWORD } from '../harness/app.ts';
import type { Answer, Caller } from '../harness/caller.ts';
import { DAY } from './calendar.ts';
import type { Card } from './card.ts';
import type { Event, EventOf } from './events.ts';
import { becameMember, done, looked, type Player } from './player.ts';
import type { Product } from './product.ts';
import { ADD_ON } from './stripe-acts.ts';

type Plays<D extends Event['do']> = {
  [Name in D]: (product: Product, player: Player, event: EventOf<Name>) => Promise<Answer | null>;
};

/** The member's customer at Stripe; null without one. */
const customerOf = ({ app }: Product, { caller }: Player): Promise<string | null> =>
  stripeCustomerId(app.services.db, caller.id).catch(() => null);

/** The running subscription; null without one. */
async function running(product: Product, player: Player): Promise<Stripe.Subscription | null> {
  const customer = await customerOf(product, player);
  if (!customer) return null;
  const { data } = await product.stripe.subscriptions.list({ customer, status: 'all' });
  return data.find(({ ended_at, status }) => ended_at === null && status !== 'incomplete') ?? null;
}

/** The running subscription to which nothing is about to happen; null without one. */
async function steady(product: Product, player: Player): Promise<Stripe.Subscription | null> {
  const it = await running(product, player);
  if (await waitsForCard(player.caller)) return null;
  if (!it || it.pause_collection || it.status === 'unpaid') return null;
  const { subscription } = await player.caller.must<{ subscription: Planned | null }>(
    'POST',
    '/api/functions/get-subscription-details',
    {},
  );
  if (
    subscription?.pending_tier ||
    subscription?.price_move ||
    subscription?.pause ||
    subscription?.year_from
  )
    return null;
  // Stripe refuses changes beside a schedule, also beside one that has done its work.
  if (it.schedule) await product.stripe.subscriptionSchedules.release(String(it.schedule));
  return it;
}

/** Whether a card waits for its first charge, to take over from the venue. */
export async function waitsForCard(caller: Caller): Promise<boolean> {
  const { ends } = await caller.must<{ ends: { then_by_card: boolean } | null }>('GET', '/api/customers/own');
  return ends?.then_by_card === true;
}

interface Planned {
  pending_tier: object | null;
  price_move: object | null;
  pause: object | null;
  year_from: number | null;
}

async function setDefault(product: Product, player: Player, method: string): Promise<Answer> {
  const customer = await customerOf(product, player);
  if (!customer) return { ...done, status: 404 };
  await product.stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
  return looked(product, player.caller);
}

/** Pays the newest open invoice on its page, and confirms the payment if the bank asks. False if it was declined. */
async function payPage(product: Product, player: Player): Promise<boolean | null> {
  const customer = await customerOf(product, player);
  if (!customer) return null;
  const { data } = await product.stripe.invoices.list({ customer, status: 'open' });
  const [open] = data;
  return open ? product.payInvoice(open.id) : null;
}

const BILLS = { now: 'always_invoice', later: 'create_prorations' } as const;

/** The member's card as the bank answers for it. */
export async function chargedCard(product: Product, player: Player): Promise<Card['kind']> {
  const customer = await customerOf(product, player);
  if (!customer) return 'pays';
  const expand = ['invoice_settings.default_payment_method'];
  const payer = await product.stripe.customers.retrieve(customer, { expand });
  const method = payer.deleted ? null : payer.invoice_settings.default_payment_method;
  const last4 = typeof method === 'object' ? method?.card?.last4 : undefined;
  return last4 === '0341' ? 'declines' : last4 === '3184' ? 'asks' : 'pays';
}

/** Whether the rest of a month waits for the next invoice. */
async function hasWaiting({ stripe }: Product, { id }: Stripe.Subscription): Promise<boolean> {
  const { lines } = await stripe.invoices.createPreview({ subscription: id });
  return lines.data.some(({ parent }) => parent?.subscription_item_details?.proration);
}

const trading = { name: 'Cheese' };

/** An add-on's own price, or a price of the venue's for a membership. */
async function newPrice(product: Product, unit_amount: number): Promise<string> {
  const { stripe } = product;
  const { id } = await stripe.prices.create({
    product: (await stripe.products.create(trading)).id,
    currency: 'usd',
    unit_amount,
    recurring: { interval: 'month' },
  });
  return id;
}

/** Acts of members and staff at Stripe. */
export const stripePlays: Plays<
  | 'card'
  | 'saved card'
  | 'pay invoice'
  | 'end at Stripe'
  | 'add-on'
  | 'trial'
  | 'take over'
  | 'pay, ended unseen'
> = {
  card: async (product, player, { good, asks }) => {
    const customer = await customerOf(product, player);
    if (!customer) return null;
    const bad = asks ? 'pm_card_authenticationRequired' : 'pm_card_chargeCustomerFail';
    const { id } = await product.stripe.paymentMethods.attach(good ? 'pm_card_visa' : bad, { customer });
    player.cards.push(id);
    return setDefault(product, player, id);
  },
  'saved card': async (product, player, { back }) => {
    const id = player.cards.at(-1 - back);
    return id ? setDefault(product, player, id) : null;
  },
  'pay invoice': async (product, player) => {
    const isPaid = await payPage(product, player);
    await looked(product, player.caller);
    return isPaid ? done : null;
  },
  'end at Stripe': async (product, player, { when, paid }) => {
    const { stripe } = product;
    if (when === 'now') {
      const it = await running(product, player);
      if (!it) return null;
      await product.unseen(async () => {
        await stripe.subscriptions.cancel(it.id);
        if (paid) await payPage(product, player);
      });
      return looked(product, player.caller);
    }
    const it = await steady(product, player);
    if (!it) return null;
    const end =
      when === 'with the period'
        ? { cancel_at_period_end: true }
        : { cancel_at: product.now + when * DAY, proration_behavior: 'none' as const };
    await stripe.subscriptions.update(it.id, end);
    return looked(product, player.caller);
  },
  'add-on': async (product, player, { on, first, bills }) => {
    const it = await steady(product, player);
    if (it?.status !== 'active' || it.cancel_at !== null) return null;
    if (bills === 'now' && (await chargedCard(product, player)) !== 'pays') return null;
    const tier = it.items.data.find(({ price }) => price.unit_amount !== ADD_ON);
    const addOn = it.items.data.find(({ price }) => price.unit_amount === ADD_ON);
    if (!tier || Boolean(addOn) === on) return null;
    const price = await newPrice(product, ADD_ON);
    const items = addOn
      ? [{ id: addOn.id, deleted: true }]
      : first
        ? [{ id: tier.id, deleted: true }, { price }, { price: tier.price.id }]
        : [{ price }];
    const proration_behavior = bills ? BILLS[bills] : 'none';
    await product.stripe.subscriptions.update(it.id, { items, proration_behavior });
    return looked(product, player.caller);
  },
  trial: async (product, player, { days }) => {
    const it = await steady(product, player);
    const item = it?.items.data[0];
    if (!it || !item || it.cancel_at !== null) return null;
    const isTrial = it.status === 'trialing';
    if (!isTrial && (it.status !== 'active' || days === 0)) return null;
    if (product.now < item.current_period_start + DAY && !(isTrial && days > 0)) return null;
    if (!isTrial && (await hasWaiting(product, it)) && (await chargedCard(product, player)) !== 'pays')
      return null;
    const from = isTrial ? item.current_period_end : product.now;
    const trial_end = days === 0 ? 'now' : from + days * DAY;
    await product.stripe.subscriptions.update(it.id, { trial_end, proration_behavior: 'none' });
    return looked(product, player.caller);
  },
  'take over': async (product, player, { tier, price: unit_amount, addOn }) => {
    const { app, staff, stripe } = product;
    const { db } = app.services;
    if (player.customer || (await customerOf(product, player))) return null;
    const [user] = await db.select().from(profiles).where(eq(profiles.id, player.caller.id));
    const { id: customer } = await stripe.customers.create({ email: user?.email ?? '', name: 'Ada Guest' });
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } });
    const price = await newPrice(product, unit_amount);
    const besides = addOn ? [{ price: await newPrice(product, ADD_ON) }] : [];
    await stripe.subscriptions.create({ customer, items: [{ price }, ...besides] });
    await db.delete(member_import);
    const { id } = await staff.must<MemberImport>('POST', '/api/adoptions');
    await settleAdoptions(app);
    const { prices } = await importOf(staff, id);
    const tiers = Object.fromEntries(
      (prices ?? []).map((it) => [it.price, it.price === price ? tier : it.tier]),
    );
    await staff.must('PUT', `/api/adoptions/${id}/tiers`, { tiers });
    await settleAdoptions(app);
    const answer = await staff.call('POST', `/api/adoptions/${id}/start`, {});
    await settleAdoptions(app);
    player.cards.push(card);
    await signInAnew(product, player);
    await becameMember(product, player);
    return answer;
  },
  'pay, ended unseen': async (product, player, { tier }) => {
    const url = await checkoutPage(player, tier);
    if (typeof url !== 'string') return url;
    await product.unseen(async () => {
      await product.pay(url);
      const it = await running(product, player);
      if (it) await product.stripe.subscriptions.cancel(it.id);
    });
    const answer = await looked(product, player.caller);
    await saveDefault(product, player);
    return answer;
  },
};

/** Staff's membership ends the ways to sign in of an account that had none, and its email gets a link to a new password. */
export async function signInAnew({ app }: Product, { caller }: Player): Promise<void> {
  const [user] = await app.services.db.select().from(profiles).where(eq(profiles.id, caller.id));
  const email = user?.email ?? '';
  await caller.must('POST', '/api/auth/recover', { email });
  const token = tokenIn(await mailTo(app, email), '/reset-password#');
  await caller.must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
  await caller.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
}

/** Notes the card of a payment page, which is charged from then on. */
export async function saveDefault(product: Product, player: Player): Promise<void> {
  const [charge] = await product.charges(player.caller.id);
  if (charge?.payment_method) player.cards.push(charge.payment_method);
}

/** Notes the newest card of the customer. */
export async function saveNewest(product: Product, player: Player): Promise<void> {
  const customer = await customerOf(product, player);
  if (!customer) return;
  const { data } = await product.stripe.paymentMethods.list({ customer });
  const newest = data.find(({ id }) => !player.cards.includes(id));
  if (newest) player.cards.push(newest.id);
}

const ANSWERS = {
  wine_knowledge: 5,
  drinking_frequency: 6,
  red_wine_preference: 8,
  white_wine_preference: 3,
  adventurousness: 9,
};

/** Applies for a tier, and returns the payment page, or the refusal. */
export async function checkoutPage(
  { caller }: Player,
  tier: string,
  period?: 'year',
): Promise<string | Answer> {
  const application = await caller.call('PUT', '/api/applications/own', {
    preferences: ANSWERS,
    selected_tier: tier,
    current_step: 2,
    is_complete: true,
  });
  if (application.status >= 300) return application;
  const checkout = { tierName: tier, applicationId: application.body.id, period };
  const page = await caller.call('POST', '/api/functions/create-checkout', checkout);
  return page.status >= 300 ? page : String(page.body.url);
}
