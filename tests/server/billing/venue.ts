import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import type Stripe from 'stripe';
import { v7 } from 'uuid';
import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import {
  type Billing,
  type BillingDeps,
  type BillingNotice,
  createBilling,
  createStripe,
} from '../../../src/server/billing/index.ts';
import type { Db, OpenDatabase, Tx } from '../../../src/server/db/client.ts';
import {
  billing_customer,
  billing_payment,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  customers,
  membership_applications,
  memberships,
  profiles,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { createTestDatabase } from '../../support/database.ts';

export const SECRET = 'whsec_of_the_venue';
export const CARD = { number: '4242424242424242', expiry: '12/49', cvc: '123', name: 'Ada Guest' };
export const DECLINED = '4000000000000002';

export interface Applicant {
  user: string;
  application: string;
}

/** Billing at work: its database, the sandbox as Stripe, and an endpoint that takes webhooks over HTTP. */
export interface Venue {
  db: Db;
  clock: TestClock;
  sandbox: Sandbox;
  stripe: Stripe;
  billing: Billing;
  notices: BillingNotice[];
  logged: string[];
  /** Statuses that our endpoint answered to webhooks, in order. */
  answers: number[];
  deps: BillingDeps;
  /** A further process on the same database: what the first knows in memory, it does not. */
  another(deps?: Partial<BillingDeps>): Billing;
  /** From now on webhooks go to this billing. */
  serveWith(billing: Billing): void;
  control<T = Record<string, unknown>>(path: string, body?: object): Promise<T>;
  webhooks(mode: 'normal' | 'drop' | 'duplicate' | 'reorder' | 'hold'): Promise<void>;
  /** Resolves when every webhook that is due has been answered. */
  delivered(): Promise<void>;
  /** Moves both clocks, and lets Stripe carry out what falls due on the way. */
  pass(time: { days?: number; minutes?: number }): Promise<void>;
  /** Someone with a finished, unpaid application. */
  applicant(tier?: string): Promise<Applicant>;
  /** A further application of somebody who has none pending. */
  reapply(user: string, tier?: string): Promise<string>;
  checkout(person: Applicant, tier?: string): Promise<string>;
  /** Pays a hosted page as its form does; answers the status: 303 paid, 402 refused. */
  pay(url: string, card?: Partial<typeof CARD>): Promise<number>;
  /** A member who paid by card, known to us. */
  member(tier?: string): Promise<Applicant>;
  /** Gives the card on file another one's behaviour, such as pm_card_chargeCustomerFail. */
  changeCard(user: string, card: string): Promise<void>;
  /** What staff do when somebody pays at the venue. */
  approveAtVenue(user: string, within?: Tx): Promise<void>;
  standing(user: string): Promise<Snapshot>;
  /** Empties both sides; what was told so far is forgotten. The clock goes on. */
  renew(): Promise<void>;
}

export interface Snapshot {
  customer: { status: string; tier: string; member_since: string } | null;
  active: { tier: string; subscription: string | null; price: number } | null;
  memberships: number;
  /** Subscriptions that are or once were a membership. */
  held: string[];
  application: string | null;
  attempts: string[];
  subscriptions: (typeof billing_subscription.$inferSelect)[];
  reversals: string[];
  payments: { status: string; paid: number; refunded: number }[];
}

export interface VenueOptions {
  start?: string;
  database?: OpenDatabase;
  now?: TestClock;
}

let shared: Promise<OpenDatabase> | undefined;
let tiers: (typeof tier_definitions.$inferSelect)[] = [];

/** Opens the database of this test file ahead of its tests (as `beforeAll`); they share it, emptied each time. */
export async function openShared(): Promise<void> {
  await emptied();
}

async function emptied(): Promise<OpenDatabase> {
  shared ??= createTestDatabase();
  const database = await shared;
  if (tiers.length === 0) tiers = await database.db.select().from(tier_definitions);
  await database.db.execute(sql`truncate profiles, billing_reversal, stripe_event, tier_price cascade`);
  for (const tier of tiers) {
    await database.db
      .update(tier_definitions)
      .set(tier)
      .where(eq(tier_definitions.tier_name, tier.tier_name));
  }
  return database;
}

export async function openVenue(options: VenueOptions = {}): Promise<Venue> {
  const clock = options.now ?? testClock(options.start);
  const database = options.database ?? (await emptied());
  const sandbox = await startSandbox({ port: 0, now: () => clock.now().getTime(), retryDelaysMs: [0, 0, 0] });
  const notices: BillingNotice[] = [];
  const logged: string[] = [];
  const answers: number[] = [];
  const { db } = database;
  const stripe = createStripe({
    secretKey: sandbox.stripeSecretKey,
    apiUrl: sandbox.url,
    maxNetworkRetries: 0,
  });
  const deps: BillingDeps = {
    db,
    stripe,
    webhookSecrets: [SECRET],
    publicUrl: 'https://club.example',
    currency: 'usd',
    now: clock.now,
    newId: () => v7(),
    timeZone: 'Europe/Vienna',
    log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    notify: (notice) => void notices.push(notice),
  };
  const billing = createBilling(deps);
  let serving = billing;
  const server = createServer(async (request, response) => {
    const signature = request.headers['stripe-signature'];
    const answer = await serving.handleWebhook(await text(request), signature?.toString());
    answers.push(answer.status);
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  sandbox.setWebhook({ url: `http://127.0.0.1:${port}/`, secret: SECRET });
  onTestFinished(async () => {
    await sandbox.close();
    server.closeAllConnections();
    server.close();
    await options.database?.close();
  });

  const control = async <T>(path: string, body: object = {}): Promise<T> => {
    const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as T & { error?: string };
    if (!answer.ok) throw new Error(json.error);
    return json;
  };

  const venue: Venue = {
    db,
    clock,
    sandbox,
    stripe,
    billing,
    notices,
    logged,
    answers,
    deps,
    another: (changed = {}) => createBilling({ ...deps, ...changed }),
    serveWith: (other) => {
      serving = other;
    },
    control,
    async webhooks(mode) {
      await control('webhooks', { mode, delay_ms: 0 });
    },
    async delivered() {
      await control('webhooks/idle');
    },
    async pass({ days = 0, minutes = 0 }) {
      clock.advance({ days, minutes });
      await control('clock', { advance: 0 });
      await venue.delivered();
    },
    async applicant(tier = 'select') {
      const user = v7();
      const email = `${user}@example.test`;
      await db
        .insert(profiles)
        .values({ id: user, name: 'Ada Guest', email, first_name: 'Ada', last_name: 'Guest' });
      return { user, application: await venue.reapply(user, tier) };
    },
    async reapply(user, tier = 'select') {
      const id = v7();
      await db.insert(membership_applications).values({
        id,
        user_id: user,
        status: 'pending',
        is_complete: true,
        selected_tier: tier,
        current_step: 2,
        created_at: clock.now(),
        updated_at: clock.now(),
      });
      return id;
    },
    async checkout({ user, application }, tier = 'select') {
      return (await billing.createCheckout(user, { tierName: tier, applicationId: application })).url;
    },
    async pay(url, card = {}) {
      const form = new URLSearchParams({ email: 'guest@example.test', ...CARD, ...card });
      // The page's own address names the sandbox as a browser reaches it.
      const page = url.replace(/^https?:\/\/[^/]+/, sandbox.url);
      const answer = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
      await answer.body?.cancel();
      return answer.status;
    },
    async member(tier = 'select') {
      const person = await venue.applicant(tier);
      await venue.pay(await venue.checkout(person, tier));
      await venue.delivered();
      await billing.verify(person.user);
      return person;
    },
    async changeCard(user, card) {
      const customer = await stripeCustomer(db, user);
      const method = await stripe.paymentMethods.attach(card, { customer });
      const { data } = await stripe.subscriptions.list({ customer });
      for (const { id } of data) await stripe.subscriptions.update(id, { default_payment_method: method.id });
    },
    async approveAtVenue(user, within) {
      if (within) return approve(within, user, clock.now());
      await db.transaction((tx) => approve(tx, user, clock.now()));
    },
    standing: (user) => snapshot(db, user),
    async renew() {
      await control('reset');
      await emptied();
      for (const told of [notices, logged, answers]) told.length = 0;
    },
  };
  return venue;
}

async function approve(tx: Tx, user: string, at: Date): Promise<void> {
  const [former] = await tx.select().from(customers).where(eq(customers.user_id, user));
  const id = former?.id ?? v7();
  const terms = { tier: 'select', status: 'active' as const, member_since: '2026-06-15' };
  if (former) await tx.update(customers).set(terms).where(eq(customers.id, id));
  else await tx.insert(customers).values({ id, user_id: user, ...terms, created_at: at });
  await tx.insert(memberships).values({
    id: v7(),
    customer_id: id,
    tier: 'select',
    start_date: terms.member_since,
    status: 'active',
    monthly_price_cents: 3900,
  });
  await tx
    .update(membership_applications)
    .set({ status: 'approved' })
    .where(eq(membership_applications.user_id, user));
}

export async function stripeCustomer(db: Db, user: string): Promise<string> {
  const [row] = await db.select().from(billing_customer).where(eq(billing_customer.user_id, user));
  if (!row) throw new Error('This user never came near paying');
  return row.stripe_customer_id;
}

async function snapshot(db: Db, user: string): Promise<Snapshot> {
  const [customer] = await db.select().from(customers).where(eq(customers.user_id, user));
  const held = customer
    ? await db.select().from(memberships).where(eq(memberships.customer_id, customer.id))
    : [];
  const active = held.find(({ status }) => status === 'active');
  const applications = await db
    .select()
    .from(membership_applications)
    .where(eq(membership_applications.user_id, user))
    .orderBy(membership_applications.id);
  const attempts = await db
    .select()
    .from(checkout_attempt)
    .where(eq(checkout_attempt.user_id, user))
    .orderBy(checkout_attempt.id);
  const payments = await db
    .select()
    .from(billing_payment)
    .where(eq(billing_payment.user_id, user))
    .orderBy(billing_payment.created_at);
  const reversals = await db.select().from(billing_reversal).where(eq(billing_reversal.user_id, user));
  return {
    customer: customer
      ? { status: customer.status, tier: customer.tier, member_since: customer.member_since }
      : null,
    active: active
      ? { tier: active.tier, subscription: active.stripe_subscription_id, price: active.monthly_price_cents }
      : null,
    memberships: held.length,
    held: held.map((it) => it.stripe_subscription_id).filter((it) => it !== null),
    application: applications.at(-1)?.status ?? null,
    attempts: attempts.map(({ status }) => status),
    subscriptions: await db
      .select()
      .from(billing_subscription)
      .where(eq(billing_subscription.user_id, user))
      .orderBy(billing_subscription.created_at),
    reversals: reversals.map(({ reason, done_at }) => (done_at ? reason : `${reason} (open)`)),
    payments: payments.map(({ status, amount_paid_cents, amount_refunded_cents }) => ({
      status,
      paid: amount_paid_cents,
      refunded: amount_refunded_cents,
    })),
  };
}

/** The same database, whose transactions can be made to fail, as when it goes away between two statements. */
export function breakable(db: Db): { db: Db; failTransactions(fail: boolean): void } {
  let failing = false;
  const proxy = new Proxy(db, {
    get(target, key) {
      if (key === 'transaction' && failing) return () => Promise.reject(new Error('the database went away'));
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    db: proxy,
    failTransactions: (fail) => {
      failing = fail;
    },
  };
}
