import { and, eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import type Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { isEnded } from '../../../src/domain/standing.ts';
import type { Ctx } from '../../../src/server/context.ts';
import { billing_act, customers, memberships, profiles } from '../../../src/server/db/schema.ts';
import { approveApplication, rejectApplication } from '../../../src/server/membership/application-reviews.ts';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import type { MemberState } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** For more runs: SEQUENCES=2000 npx vitest run --project server tests/server/billing/sequences.test.ts */
const RUNS = Number(process.env.SEQUENCES ?? 25);

const tier = fc.constantFrom('select', 'premier', 'elite');
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('checkout' as const), tier }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pay' as const), page: fc.nat(3), good: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stray' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const), reverse: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('verify' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'resume' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tier' as const), tier }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pause' as const),
      months: fc.constantFrom(1 as const, 2 as const),
      staff: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end_pause' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      when: fc.constantFrom('period_end' as const, 'now' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('keep' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('accept_again' as const, 'keep_tier' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('days' as const), days: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('card' as const), good: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'reject' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reapply' as const), tier }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ended_by_stripe' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('database_down' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('stripe_down' as const),
      kind: fc.constantFrom('status', 'drop'),
      when: fc.constantFrom('before', 'after'),
      method: fc.constantFrom('GET', 'POST', 'DELETE'),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** Runs the actions of one applicant, staff and Stripe, and failures, in any order. */
class Sequence {
  readonly venue: Venue;
  readonly staff: string;
  user = '';
  application = '';
  pages: string[] = [];
  previewId = '';
  ended = new Set<string>();
  /** Memberships that staff said will end, by id. */
  saidToEnd = new Map<string, typeof billing_act.$inferSelect>();
  database: ReturnType<typeof breakable>;

  constructor(venue: Venue, staff: string) {
    this.venue = venue;
    this.staff = staff;
    this.database = breakable(venue.db);
  }

  billing() {
    return this.venue.anotherProcess({ db: this.database.db });
  }

  async begin(): Promise<void> {
    const applicant = await this.venue.applicant();
    this.user = applicant.user;
    this.application = applicant.application;
  }

  async act(it: Action): Promise<void> {
    const { venue, user } = this;
    const billing = this.billing();
    if (it.do === 'database_down') return this.database.failTransactions(true);
    if (it.do === 'stripe_down') {
      const { kind, when, method } = it;
      await venue.control('fail-next', { path: '/v1/', kind, when, method, times: kind === 'drop' ? 2 : 1 });
      return;
    }
    if (it.do === 'checkout') {
      const input = { tierName: it.tier, applicationId: this.application };
      const { url } = await billing.createCheckout(user, input);
      if (!this.pages.includes(url)) this.pages.push(url);
    }
    if (it.do === 'pay') {
      const page = this.pages.at(it.page % Math.max(1, this.pages.length));
      if (page) await venue.pay(page, it.good ? {} : { number: '4000000000000002' });
    }
    if (it.do === 'stray') await this.stray();
    if (it.do === 'deliver') await this.deliver(it.reverse);
    if (it.do === 'verify') await billing.reconcile(user);
    if (it.do === 'cancel') await billing.cancelSubscription(user);
    if (it.do === 'resume') await billing.resumeSubscription(user);
    if (it.do === 'tier') {
      this.previewId = (await billing.previewTier(user, it.tier)).id;
      await billing.changeTier(user, this.previewId);
    }
    if (it.do === 'accept_again' && this.previewId) await billing.changeTier(user, this.previewId);
    if (it.do === 'keep_tier') await billing.cancelTierChange(user);
    if (it.do === 'pause' && it.staff) await billing.pauseForMember(user, it.months, async () => undefined);
    if (it.do === 'pause' && !it.staff) await billing.pause(user, it.months);
    if (it.do === 'end_pause')
      await billing.endPause(user, (await billing.getPause(user)).pause?.amount ?? 0);
    if (it.do === 'end') await this.end(it.when);
    if (it.do === 'keep') await billing.keepForMember(this.actor(), { customer_id: await this.customer() });
    if (it.do === 'card')
      await venue.changeCard(user, it.good ? 'pm_card_visa' : 'pm_card_chargeCustomerFail');
    if (it.do === 'reapply') {
      const { application, customer } = await venue.state(user);
      if (application !== 'pending' && customer?.status !== 'active') {
        this.application = await venue.reapply(user, it.tier);
      }
    }
    if (it.do === 'approve' || it.do === 'reject') {
      const ctx = {
        ...venue.deps,
        outbox: venue.outbox,
        db: this.database.db,
        paymentPages: billing.paymentPages,
        club: { current: venue.deps.rules },
        actor: this.actor(),
      } as unknown as Ctx;
      if (it.do === 'approve')
        await approveApplication(ctx, { id: this.application, toast_reference_number: 'T-1', months: 12 });
      else await rejectApplication(ctx, { id: this.application });
    }
    if (it.do === 'ended_by_stripe') {
      const { active } = await venue.state(user);
      if (active?.subscription) await venue.stripe.subscriptions.cancel(active.subscription);
    }
    if (it.do === 'days') {
      await this.sweep();
      await venue.advance({ days: it.days });
    }
  }

  actor() {
    return { user_id: this.staff, role: 'staff' as const };
  }

  async customer(): Promise<string> {
    const [row] = await this.venue.db.select().from(customers).where(eq(customers.user_id, this.user));
    return row?.id ?? this.staff;
  }

  async end(when: 'period_end' | 'now'): Promise<void> {
    const { period_end } = await this.billing().getEndOffer(this.user);
    if (!period_end) return;
    const [customer_id, reason] = [await this.customer(), 'other' as const];
    await this.billing().endForMember(this.actor(), { customer_id, when, reason, period_end });
    const [row] = await this.venue.db
      .select()
      .from(billing_act)
      .where(and(eq(billing_act.kind, 'end'), inArray(billing_act.state, ['asked', 'set'])));
    if (row?.membership_id) this.saidToEnd.set(row.membership_id, row);
  }

  /** Pays a second page of the same applicant, unknown to our database. */
  async stray(): Promise<void> {
    const { stripe } = this.venue;
    const [session] = (await stripe.checkout.sessions.list({ limit: 1 })).data;
    const [price] = (await stripe.prices.list({ limit: 1 })).data;
    if (!session || !price || typeof session.customer !== 'string') return;
    const page = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: session.customer,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'https://club.example/payment-success',
    });
    await this.venue.pay(page.url ?? '');
  }

  async deliver(reverse: boolean): Promise<void> {
    this.venue.serveWith(this.billing());
    await this.venue.control('webhooks/release', { reverse });
    await this.venue.delivered();
  }

  /** Ends all failures, and sweeps as the timer does each minute. */
  async sweep(): Promise<void> {
    await this.recover();
    await this.venue.advance({ minutes: 6 });
    await this.billing().sweep();
  }

  async recover(): Promise<void> {
    this.database.failTransactions(false);
    await fetch(`${this.venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
  }

  /** Invariants after each step, even before all webhooks arrive. */
  async checkStep(): Promise<void> {
    const now = await this.venue.state(this.user);
    expect(now.customer?.status === 'active', 'active member, active membership').toBe(now.active !== null);
    const withAccess = now.subscriptions.filter(
      ({ access_until }) => access_until && access_until > this.venue.clock.now(),
    );
    expect(withAccess.length, 'subscriptions that give access').toBeLessThanOrEqual(1);
    for (const { stripe_subscription_id, status } of now.subscriptions) {
      if (isEnded(status)) this.ended.add(stripe_subscription_id);
      else
        expect(this.ended.has(stripe_subscription_id), 'an ended subscription is active again').toBe(false);
    }
    if (!now.active?.subscription) return;
    expect(await this.paid(now.active.subscription), 'membership without payment').toBeGreaterThan(0);
  }

  /** The cents paid for a subscription, from the sandbox's state, because the next API call may be set to fail. */
  async paid(subscription: string): Promise<number> {
    const answer = await fetch(`${this.venue.sandbox.url}/_sandbox/state`);
    const { invoices } = (await answer.json()) as { invoices: Record<string, Stripe.Invoice> };
    return Object.values(invoices)
      .filter((it) => it.parent?.subscription_details?.subscription === subscription && it.status === 'paid')
      .reduce((sum, { amount_paid }) => sum + amount_paid, 0);
  }

  /** Invariants once everything is delivered and processed. */
  async checkEnd(): Promise<void> {
    const { venue, user } = this;
    await this.recover();
    await this.deliver(false);
    await this.sweep();
    await this.billing().reconcile(user);
    await this.checkStep();
    const now = await venue.state(user);
    const subscriptions = (await venue.stripe.subscriptions.list({ status: 'all', limit: 100 })).data;
    const alive = subscriptions.filter(({ status }) => ['active', 'trialing', 'past_due'].includes(status));
    const grace = now.subscriptions.filter(
      ({ grace_until }) => grace_until && grace_until > venue.clock.now(),
    );
    const withAccess = alive.filter(
      ({ id, status }) => status !== 'past_due' || grace.some((it) => it.stripe_subscription_id === id),
    );
    expect(
      withAccess.map(({ id }) => id),
      'payment without membership',
    ).toEqual(now.active?.subscription ? [now.active.subscription] : []);
    if (now.active?.subscription) {
      const price = withAccess[0]?.items.data[0]?.price;
      expect(now.customer?.tier, 'the tier that is paid for').toBe(price?.metadata.tier);
      expect(now.active.price, 'what it costs').toBe(price?.unit_amount);
      expect(withAccess[0]?.items.data.length, 'items that are charged').toBe(1);
    }
    await this.checkPauses(withAccess);
    if (now.active && !now.active.subscription)
      expect(alive, 'a card subscription beside a venue membership').toEqual([]);
    await this.checkMoney(now);
    await this.checkEnds();
  }

  /** A membership that staff ended, and nobody kept, is over on its day, and every charge after it was returned. */
  async checkEnds(): Promise<void> {
    const { db, stripe, clock } = this.venue;
    for (const { id } of this.saidToEnd.values()) {
      const [end] = await db.select().from(billing_act).where(eq(billing_act.id, id));
      if (end?.state !== 'set' || !end.membership_id || !end.ends_at || end.ends_at > clock.now()) continue;
      const { ends_at, membership_id } = end;
      const [membership] = await db.select().from(memberships).where(eq(memberships.id, membership_id));
      expect(membership?.status, 'a membership that staff ended').toBe('ended');
      const subscription = membership?.stripe_subscription_id;
      if (!subscription) continue;
      const invoices = await stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] });
      const charges = (await stripe.charges.list({ limit: 100 })).data;
      for (const invoice of invoices.data) {
        if (invoice.created * 1000 <= ends_at.getTime()) continue;
        for (const { payment } of invoice.payments?.data ?? []) {
          const charge = charges.find((it) => it.paid && it.payment_intent === payment.payment_intent);
          if (charge) expect(charge.amount - charge.amount_refunded, 'charged after the end').toBe(0);
        }
      }
    }
  }

  /** A month that Stripe skipped gives nothing, and each return from a pause is charged once. */
  async checkPauses(running: Stripe.Subscription[]): Promise<void> {
    const { venue, user } = this;
    const invoices = (await venue.stripe.invoices.list({ limit: 100 })).data;
    for (const { pause_collection, items } of running) {
      const start = items.data[0]?.current_period_start;
      const isPaid = invoices.some(
        ({ status, lines }) => status === 'paid' && lines.data.some(({ period }) => period.start === start),
      );
      if (pause_collection && !isPaid) expect(await venue.hasAccess(user), 'glasses in a pause').toBe(false);
    }
    const wholeMonths = invoices.filter(
      ({ billing_reason, status, lines }) =>
        billing_reason === 'subscription_update' &&
        status === 'paid' &&
        lines.data.every(({ parent }) => parent?.subscription_item_details?.proration === false),
    );
    expect(wholeMonths.length, 'months charged by returns').toBeLessThanOrEqual(await this.returns());
  }

  /** The number of pauses that were over early, but not because the subscription ended. */
  async returns(): Promise<number> {
    const { db, stripe } = this.venue;
    const { data } = await stripe.subscriptions.list({ status: 'all', limit: 100 });
    const pauses = and(eq(billing_act.kind, 'pause'), eq(billing_act.state, 'done'));
    const done = await db.select().from(billing_act).where(pauses);
    return done.filter(({ stripe_subscription_id, settled_at, ends_at }) => {
      const ended_at = data.find(({ id }) => id === stripe_subscription_id)?.ended_at;
      return (
        settled_at &&
        ends_at &&
        settled_at < ends_at &&
        !(ended_at && ended_at * 1000 <= settled_at.getTime())
      );
    }).length;
  }

  /** All payments for a subscription that was never a membership are refunded. */
  async checkMoney(now: MemberState): Promise<void> {
    const charges = (await this.venue.stripe.charges.list({ limit: 100 })).data;
    const invoices = (await this.venue.stripe.invoices.list({ limit: 100, expand: ['data.payments'] })).data;
    for (const invoice of invoices) {
      const subscription = invoice.parent?.subscription_details?.subscription;
      if (typeof subscription !== 'string' || now.membershipSubscriptions.includes(subscription)) continue;
      for (const { payment } of invoice.payments?.data ?? []) {
        const charge = charges.find((it) => it.paid && it.payment_intent === payment.payment_intent);
        if (charge) expect(charge.amount - charge.amount_refunded, 'money kept for nothing').toBe(0);
      }
    }
  }
}

test('any sequence of members’, staff’s and Stripe’s actions and failures ends with money and membership in agreement', async () => {
  const venue = await openVenue();
  const staff = venue.deps.newId();
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), async (actions) => {
      await venue.reset();
      await venue.control('settings', { dunning_days: [3, 3], dunning_end: 'canceled' });
      await venue.webhooks('hold');
      const person = {
        id: staff,
        name: 'Sam',
        email: 'sam@example.test',
        first_name: 'Sam',
        last_name: 'Staff',
      };
      await venue.db.insert(profiles).values(person);
      const sequence = new Sequence(venue, staff);
      await sequence.begin();
      for (const one of actions) {
        await sequence.act(one).catch((error: unknown) => {
          if (!(error instanceof Error)) throw error;
          // Refusals and failures are part of a sequence; a failed expectation is not.
          if (error.name === 'AssertionError' || error instanceof TypeError) throw error;
        });
        if (one.do !== 'database_down') sequence.database.failTransactions(false);
        await sequence.checkStep();
      }
      await sequence.checkEnd();
    }),
    {
      numRuns: RUNS,
      interruptAfterTimeLimit: process.env.SEQUENCES ? undefined : 60_000,
      seed: Number(process.env.SEED) || undefined,
    },
  );
}, 3_600_000);
