import { sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { sessions } from '../../../src/server/db/schema.ts';
import { writeAllDueGrants } from '../../../src/server/pours/due-grants.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { stripeCustomerId } from '../billing/member-state.ts';
import { confirmedCustomer } from '../fixtures/household.ts';
import { createTestApp, type TestApp } from '../harness/app.ts';
import type { Caller } from '../harness/caller.ts';
import { testClock } from '../harness/clock.ts';
import { sandboxClient } from '../harness/sandbox-client.ts';
import { DAY } from './calendar.ts';
import { openingClub, type Setting } from './club.ts';
import { type Change, stepsBetween, type Tick, type VenueEvent } from './events.ts';

interface Shares {
  yearly?: number;
  people?: number;
  guests?: number;
}

/** The product with the sandbox, whose clocks move together. */
export class Product {
  readonly app: TestApp;
  readonly staff: Caller;
  /** The buyer of the gifts. */
  readonly giver: Caller;
  readonly stripe: Stripe;
  readonly zone: string;
  private isDeaf = false;

  private constructor(app: TestApp, staff: Caller, giver: Caller, zone: string) {
    this.zone = zone;
    this.app = app;
    this.staff = staff;
    this.giver = giver;
    const { sandbox } = app;
    this.stripe = createStripe({
      secretKey: sandbox.stripeSecretKey,
      apiUrl: sandbox.url,
      maxNetworkRetries: 0,
      httpClient: sandboxClient(sandbox),
    });
  }

  static async open({ start, dunning, zone, grace }: Setting & { start: number }): Promise<Product> {
    const app = await createTestApp({ clock: testClock(new Date((start - DAY) * 1000)), timeZone: zone });
    const product = new Product(app, await app.staff(), await confirmedCustomer(app), zone);
    for (const [tier, { rollover, ...terms }] of Object.entries(openingClub())) {
      await product.setTier(tier, { ...terms, rollover: rollover[0]?.glasses });
    }
    await product.control('settings', { dunning_days: dunning.days, dunning_end: dunning.end });
    const { version } = await product.staff.must<{ version: number }>('GET', '/api/club-settings');
    await product.staff.must('PATCH', '/api/club-settings', { version, changes: { grace_days: grace } });
    app.clock.set(new Date(start * 1000));
    return product;
  }

  get now(): number {
    return this.app.clock.now().getTime() / 1000;
  }

  async control<T>(path: string, body: object = {}): Promise<T> {
    const { sandbox } = this.app;
    const init = { method: 'POST', body: JSON.stringify(body) };
    const response = await sandbox.fetch(`${sandbox.url}/_sandbox/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  setTier(tier: string, { price, pours, rollover, ...shares }: Change & Shares): Promise<unknown> {
    return this.staff.must('PATCH', `/api/tier-settings/${tier}`, {
      monthly_price_cents: price,
      yearly_price_cents: shares.yearly,
      monthly_pours: pours,
      rollover_glasses: rollover,
      people: shares.people,
      guest_glasses: shares.guests,
    });
  }

  /** Lets time pass in steps, each followed by a sweep of the product. */
  async pass({ seconds, lost, written }: Tick): Promise<void> {
    this.isDeaf = lost;
    await this.control('webhooks', { mode: lost ? 'drop' : 'normal' });
    for (const at of stepsBetween(this.now, seconds)) {
      this.app.clock.set(new Date(at * 1000));
      await this.control('clock', { advance: 0 });
      await this.control('webhooks/idle');
      const { failures } = await sweep(this.app.services.billing);
      if (failures > 0) throw new Error(`A sweep failed ${failures} times:\n${this.errors()}`);
      if (written) await writeAllDueGrants(this.app.services);
    }
    // All users stay signed in.
    const now = this.app.clock.now();
    const expiresAt = new Date(now.getTime() + 14 * DAY * 1000);
    await this.app.services.db.update(sessions).set({ createdAt: now, updatedAt: now, expiresAt });
  }

  async venueActs(event: VenueEvent, price: number): Promise<void> {
    if (event.do === 'tier') await this.setTier(event.tier, event.terms);
    else await this.staff.must('POST', `/api/tier-settings/${event.tier}/move`, { price_cents: price });
    await sweep(this.app.services.billing);
  }

  /** Submits the form of a payment page at Stripe. */
  async pay(url: string): Promise<void> {
    const { sandbox } = this.app;
    const card = { number: '4242424242424242', expiry: '12/40', cvc: '123', name: 'Ada Guest' };
    const body = new URLSearchParams({ email: 'guest@example.test', ...card });
    const page = url.replace(/^https?:\/\/[^/]+/, sandbox.url);
    const response = await sandbox.fetch(page, { method: 'POST', body, redirect: 'manual' });
    await response.body?.cancel();
    if (response.status !== 303) throw new Error(`The payment page answered ${response.status}`);
  }

  /** Pays an invoice on its page, and confirms the payment if the bank asks. False if the card is declined. */
  async payInvoice(invoice: string): Promise<boolean> {
    const { sandbox } = this.app;
    const send = async (path: string, body?: URLSearchParams) => {
      const response = await sandbox.fetch(`${sandbox.url}${path}`, {
        method: 'POST',
        body,
        redirect: 'manual',
      });
      await response.body?.cancel();
      return response;
    };
    const { status, headers } = await send(`/i/${invoice}`);
    if (status === 402) return false;
    if (!headers.get('location')?.endsWith('/authenticate')) return true;
    await send(`/i/${invoice}/authenticate`, new URLSearchParams({ answer: 'complete' }));
    return true;
  }

  /** Runs acts at Stripe of which the product gets no webhook. */
  async unseen(work: () => Promise<unknown>): Promise<void> {
    await this.control('webhooks', { mode: 'drop' });
    await work();
    await this.control('webhooks', { mode: this.isDeaf ? 'drop' : 'normal' });
  }

  /** The successful charges of a user at Stripe, newest first. */
  async charges(user: string): Promise<Stripe.Charge[]> {
    const customer = await stripeCustomerId(this.app.services.db, user).catch(() => null);
    if (!customer) return [];
    const { data } = await this.stripe.charges.list({ customer, limit: 100 });
    return data.filter(({ paid }) => paid);
  }

  /** The last errors that the server logged. */
  errors(): string {
    return this.app.logged
      .filter((line) => /"level":"?(50|60|error)/.test(line))
      .slice(-3)
      .join('\n');
  }

  /** The invariants that the database breaks. A test's claims no mode of Stripe. */
  async broken(): Promise<string[]> {
    const { db, venue } = this.app.services;
    const lines = await brokenInvariants((text) => rowsOf(db, sql.raw(text)), venue.time_zone);
    return lines.filter((line) => !line.includes('mode of the database'));
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
