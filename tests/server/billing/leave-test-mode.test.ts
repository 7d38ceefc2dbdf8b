import { eq, getTableName, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import {
  countTestPayments,
  leaveTestMode,
  NothingToLeave,
  STRIPE_COPIES,
} from '../../../src/server/billing/upkeep/leave-test-mode.ts';
import type { StripeMode } from '../../../src/server/config/stripe-mode.ts';
import { claimStripeMode, storedStripeMode } from '../../../src/server/db/claim-stripe-mode.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import {
  deliveries,
  dues,
  member_import,
  memberships,
  pours,
  profiles,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { postStaffNotice } from '../../../src/server/membership/staff-notices.ts';
import { emptyDatabase, writeAsMode } from '../../support/billing/databases.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { EVENING, openVenue, type Venue } from '../../support/billing/venue.ts';

/**
 * A venue on a database in that mode, as after a start. With another mode, the second Stripe account knows nothing of the
 * first.
 */
async function venueIn(mode: StripeMode, before?: { database: OpenDatabase; venue: Venue }) {
  const database = before?.database ?? { ...(await emptyDatabase()), close: async () => undefined };
  await writeAsMode(database.db, mode);
  const venue = await openVenue({ database, ...EVENING, ...(before ? { now: before.venue.clock } : {}) });
  await claimStripeMode(database.db, mode, venue.clock.now());
  return { database, venue };
}

const leave = ({ deps }: Venue) => leaveTestMode(deps);

/** Every row of the database as text. */
async function everything({ db }: OpenDatabase): Promise<string> {
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => rowsOf(db, sql`select to_jsonb(t) from ${sql.identifier(name)} t`)),
  );
  return JSON.stringify(rows);
}

const STRIPE_ID = /"(?:[^"]*:)?(?:cus|sub|in|cs|price|prod|evt|we|bpc)_[A-Za-z0-9]{8,}/;

async function queueEmail({ db, clock }: Venue, user_id: string, cause: string): Promise<void> {
  const at = clock.now();
  const email = { recipient: 'ada@example.test', subject: 'A payment', payload: { text: 'Thank you' } };
  await db.insert(deliveries).values({ kind: 'email', cause, user_id, ...email, created_at: at });
}

describe('leaving test mode', () => {
  it('ends card memberships, deletes every id from Stripe, and keeps the rest', async () => {
    const opened = await venueIn('test');
    const { database, venue } = opened;
    const { user } = await venue.member();
    await pourGlasses(venue, user, 3);
    const open = await venue.applicant();
    await venue.checkout(open);
    const guest = await venue.applicant();
    await venue.approveAtVenue(guest.user);
    await queueEmail(venue, user, `paid:${(await venue.subscription(user)).latest_invoice}`);
    await queueEmail(venue, user, 'welcome:1');
    await database.db.transaction((tx) =>
      postStaffNotice(tx, {
        kind: 'customer_missing',
        cause: 'customer_missing:cus_12345678',
        user_id: user,
        facts: { stripe_customer_id: 'cus_12345678' },
        at: venue.clock.now(),
      }),
    );
    const people = await database.db.$count(profiles);

    expect(await countTestPayments(database.db)).toMatchObject({
      mode: 'test',
      memberships: 1,
      emails: 1,
      notices: 1,
    });
    expect(await everything(database)).toMatch(STRIPE_ID);
    await leave(venue);

    expect(await everything(database)).not.toMatch(STRIPE_ID);
    expect(await storedStripeMode(database.db)).toBeNull();
    expect(await venue.state(user)).toMatchObject({
      customer: { status: 'inactive' },
      active: null,
      memberships: 1,
      application: 'approved',
    });
    const [ended] = await database.db.select().from(memberships).where(eq(memberships.status, 'ended'));
    expect(ended).toMatchObject({ end_date: '2026-06-15', stripe_subscription_id: null });
    expect(await venue.state(open.user)).toMatchObject({ application: 'pending', attempts: [] });
    expect(await venue.state(guest.user)).toMatchObject({ active: { subscription: null } });
    expect(await venue.hasAccess(guest.user)).toBe(true);
    expect(await database.db.select({ quantity: pours.quantity }).from(pours)).toEqual([{ quantity: 3 }]);
    expect(await database.db.$count(profiles)).toBe(people);
    expect(await database.db.select({ cause: deliveries.cause }).from(deliveries)).toEqual([
      { cause: 'welcome:1' },
    ]);
  });

  it('ends a membership whose year was paid online, and keeps its dues without an id from Stripe', async () => {
    const { database, venue } = await venueIn('test');
    await database.db.update(tier_definitions).set({ yearly_price_cents: 39_000 });
    const { user, application } = await venue.applicant();
    const order = { tierName: 'select', applicationId: application, period: 'year' as const };
    await venue.pay((await venue.billing.createCheckout(user, order)).url);
    await venue.delivered();
    expect(await venue.state(user)).toMatchObject({ active: { subscription: null } });
    expect(await countTestPayments(database.db)).toMatchObject({ memberships: 1 });
    await leave(venue);
    expect(await everything(database)).not.toMatch(STRIPE_ID);
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
    expect(await database.db.$count(dues)).toBe(1);
  });

  it('covers every table that may hold ids from Stripe', async () => {
    const { db } = await emptyDatabase();
    const guarded = await rowsOf<{ name: string }>(
      db,
      sql`select tgrelid::regclass::text as name from pg_trigger where tgname = 'refuse_other_stripe_mode'`,
    );
    // These keep their rows, without the ids; notices and imports only if about other things.
    const handled = ['memberships', 'membership_applications', 'staff_notice', 'member_import_row'];
    const deleted = STRIPE_COPIES.map(({ table }) => getTableName(table));
    expect(guarded.length).toBeGreaterThan(10);
    expect(guarded.map(({ name }) => name).filter((it) => ![...deleted, ...handled].includes(it))).toEqual(
      [],
    );
  });

  it('deletes imported Stripe subscriptions, and keeps imported files of members', async () => {
    const { venue } = await venueIn('test');
    const values = {
      status: 'imported' as const,
      columns: [],
      mapping: {},
      date_order: 'month_first' as const,
    };
    for (const source of ['file', 'stripe'] as const) {
      const row = { ...values, id: v7(), source, new_tags: [], created_at: venue.clock.now() };
      await venue.db.insert(member_import).values(row);
    }
    await leave(venue);
    expect((await venue.db.select().from(member_import)).map(({ source }) => source)).toEqual(['file']);
  });

  it('the next start can be live: the same members join, and test glasses do not count', async () => {
    const opened = await venueIn('test');
    const { user } = await opened.venue.member();
    await opened.venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await opened.venue.advance({ days: 31 });
    await opened.venue.billing.reconcile(user);
    const unpaid = await pourGlasses(opened.venue, user);
    expect(unpaid).toBeGreaterThan(0);
    await leave(opened.venue);

    opened.venue.clock.advance({ days: 1 });
    const { venue } = await venueIn('live', opened);
    const application = await venue.reapply(user);
    await venue.pay(await venue.checkout({ user, application }));
    await venue.delivered();
    await venue.billing.reconcile(user);
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, memberships: 2 });
    const monthly = await glassesOf(venue, user);
    expect(monthly).toMatchObject({ access: true, carried: 0, pours_used: 0 });
    expect(monthly?.available).toBe(monthly?.period_pours);
  });

  it('a server still running with the test keys can no longer write', async () => {
    const opened = await venueIn('test');
    const { venue } = opened;
    const { user } = await venue.member();
    const joining = await venue.applicant();
    await leave(venue);
    await expect(venue.checkout(joining)).rejects.toThrow();
    expect(await venue.billing.reconcile(user)).toEqual({ status: 'unchanged', localStatus: 'inactive' });
    expect(await everything(opened.database)).not.toMatch(STRIPE_ID);
  });

  it('works for the demo, and for payments from before modes were recorded', async () => {
    const demo = await venueIn('demo');
    await demo.venue.member();
    expect(await leave(demo.venue)).toMatchObject({ mode: 'demo', memberships: 1 });

    const database = { ...(await emptyDatabase()), close: async () => undefined };
    const older = await openVenue({ database });
    const { user } = await older.member();
    expect(await leave(older)).toMatchObject({ mode: null, memberships: 1 });
    expect(await older.state(user)).toMatchObject({ active: null });
  });

  it('never touches a database with real payments, or with none', async () => {
    const { venue, database } = await venueIn('live');
    const { user } = await venue.member();
    await expect(leave(venue)).rejects.toBeInstanceOf(NothingToLeave);
    await expect(leave(venue)).rejects.toThrow('real payments');
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' } });
    expect(await storedStripeMode(database.db)).toBe('live');
    await expect(leaveTestMode({ ...venue.deps, db: (await emptyDatabase()).db })).rejects.toThrow(
      'no payments of test mode',
    );
  });
});
