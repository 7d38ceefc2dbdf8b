import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { availability, cardPeriod, decidePour, venuePeriod } from '../../../src/domain/allowance.ts';
import { accessUntil, SUBSCRIPTION_STATUSES } from '../../../src/domain/standing.ts';
import { tierInForce } from '../../../src/domain/tier-change.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { billing_subscription, customers, memberships, profiles } from '../../../src/server/db/schema.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const MONTHLY_POURS = { select: 4, premier: 8, elite: 14, household: 20 };
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Vienna',
  'Asia/Kolkata',
  'Africa/Cairo',
  'Pacific/Auckland',
];

const instant = fc
  .integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2028, 11, 31) / 1000 })
  .map((seconds) => new Date(seconds * 1000));
const day = instant.map((it) => it.toISOString().slice(0, 10));

const situation = fc.record({
  tier: fc.constantFrom(...(Object.keys(MONTHLY_POURS) as (keyof typeof MONTHLY_POURS)[])),
  zone: fc.constantFrom(...ZONES),
  member_since: day,
  active: fc.boolean(),
  card: fc.option(
    fc.record({
      status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
      cancel: fc.boolean(),
      startsDaysAgo: fc.integer({ min: -2, max: 60 }),
      pending: fc.option(fc.constantFrom('select' as const, 'premier' as const), { nil: null }),
      graceDays: fc.option(fc.integer({ min: -3, max: 7 }), { nil: null }),
    }),
    { nil: null },
  ),
  now: instant,
  ledger: fc.array(
    fc.record({
      hoursAgo: fc.integer({ min: 0, max: 24 * 70 }),
      quantity: fc.integer({ min: 1, max: 5 }),
      voided: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
  quantity: fc.integer({ min: 1, max: 6 }),
});

const DAY = 86_400_000;

it('record_pour decides as the domain does, for every tier, zone, standing and ledger', {
  timeout: 60_000,
}, async () => {
  const { db } = database;
  const staff = v7();
  await db
    .insert(profiles)
    .values({ id: staff, name: 's', email: 's@example.test', first_name: 's', last_name: '' });
  await fc.assert(
    fc.asyncProperty(situation, async ({ tier, zone, member_since, active, card, now, ledger, quantity }) => {
      const user = v7();
      const customer = v7();
      const name = { name: 'm', first_name: 'm', last_name: '' };
      await db.insert(profiles).values({ id: user, email: `${user}@example.test`, ...name });
      const status = active ? 'active' : 'inactive';
      await db
        .insert(customers)
        .values({ id: customer, user_id: user, tier, status, member_since, created_at: now });

      let period = venuePeriod(member_since, now, zone);
      let access = active;
      let counted = tier;
      if (card) {
        const stored = {
          start: new Date(now.getTime() - card.startsDaysAgo * DAY),
          end: new Date(now.getTime() - card.startsDaysAgo * DAY + 30 * DAY),
        };
        const facts = {
          status: card.status,
          cancel_at_period_end: card.cancel,
          current_period_end: stored.end,
          grace_until: card.graceDays === null ? null : new Date(now.getTime() + card.graceDays * DAY),
        };
        const until = accessUntil(facts, now);
        await db.insert(billing_subscription).values({
          stripe_subscription_id: `sub_${customer}`,
          user_id: user,
          tier,
          ...facts,
          current_period_start: stored.start,
          access_until: until,
          amount_cents: 100,
          currency: 'usd',
          stripe_price_id: 'price_1',
          ...(card.pending
            ? { pending_tier: card.pending, pending_from: stored.end, pending_amount_cents: 100 }
            : {}),
          created_at: now,
          synced_at: now,
        });
        const pending = card.pending && { tier: card.pending, from: stored.end };
        counted = tierInForce(tier, pending, now) as typeof tier;
        period = cardPeriod(stored, now);
        access = active && until !== null && now < until;
      }
      await db.insert(memberships).values({
        id: v7(),
        customer_id: customer,
        tier,
        start_date: member_since,
        status: 'active',
        monthly_price_cents: 100,
        stripe_subscription_id: card ? `sub_${customer}` : null,
      });
      const entries = ledger.map((it) => ({
        ...it,
        created_at: new Date(now.getTime() - it.hoursAgo * 3_600_000),
      }));
      for (const entry of entries) {
        const id = v7();
        await db.execute(sql`insert into pours (id, request_id, customer_id, quantity, location,
            toast_reference_number, status, recorded_by_staff_id, created_at)
          values (${id}, ${v7()}, ${customer}, ${entry.quantity}, 'main_bar', 'POUR-1', 'redeemed', ${staff},
            ${entry.created_at.toISOString()})`);
        if (entry.voided) {
          await db.execute(sql`insert into pour_voids (pour_id, voided_by_staff_id, created_at)
            values (${id}, ${staff}, ${now.toISOString()})`);
        }
      }

      const expected = decidePour(access, availability(MONTHLY_POURS[counted], entries, period), quantity);
      const wanted = {
        id: v7(),
        request_id: v7(),
        customer_id: customer,
        quantity,
        location: 'main_bar',
        toast_reference_number: 'POUR-2',
        status: 'redeemed',
        recorded_by_staff_id: staff,
        created_at: now,
      };
      const [row] = await rowsOf<{ decided: { outcome: string; available: number } }>(
        db,
        sql`select record_pour(${JSON.stringify({ pour: wanted, time_zone: zone })}::jsonb) as decided`,
      );
      expect(row?.decided.outcome).toBe(expected.outcome);
      if (expected.outcome !== 'not_active') expect(row?.decided.available).toBe(expected.available_pours);
      const [after] = await db.select().from(customers).where(eq(customers.id, customer));
      expect(after?.total_pours_lifetime).toBe(expected.outcome === 'recorded' ? quantity : 0);
    }),
    { numRuns: 300 },
  );
});
