import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
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
import { membership_applications, profiles } from '../../../src/server/db/schema.ts';
import { type TestClock, testClock } from '../harness/clock.ts';
import { approve, hasAccess, type Snapshot, snapshot, stripeCustomer } from './access-snapshot.ts';
import { emptied } from './databases.ts';

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
  /** Sends one held webhook of this type, and waits for the answer. */
  release(type: string): Promise<void>;
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
  /** Whether a glass would be poured now. */
  access(user: string): Promise<boolean>;
  /** The one subscription of the user at Stripe; throws when there is none or another. */
  subscription(user: string): Promise<Stripe.Subscription>;
  /** What kinds of notices were given, in order. */
  told(): BillingNotice['type'][];
  /** Empties both sides; what was told so far is forgotten. The clock goes on. */
  renew(): Promise<void>;
}

export interface VenueOptions {
  start?: string;
  database?: OpenDatabase;
  now?: TestClock;
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
    async release(type) {
      const answer = await fetch(`${sandbox.url}/_sandbox/webhooks`);
      const { deliveries } = (await answer.json()) as { deliveries: { event: string; type: string }[] };
      const { event } = deliveries.findLast((it) => it.type === type) ?? {};
      if (!event) throw new Error(`No ${type} is held`);
      await control('webhooks/release', { event });
      await venue.delivered();
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
    access: (user) => hasAccess(db, user, clock.now()),
    async subscription(user) {
      const customer = await stripeCustomer(db, user);
      const { data } = await stripe.subscriptions.list({ customer, status: 'all' });
      const [only] = data;
      if (!only || data.length > 1) throw new Error('Not exactly one subscription');
      return only;
    },
    told: () => notices.map(({ type }) => type),
    async renew() {
      await control('reset');
      await emptied();
      for (const told of [notices, logged, answers]) told.length = 0;
    },
  };
  return venue;
}
