import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localDate } from '../../../src/domain/calendar.ts';
import { inOrderOfSpending, leftOf } from '../../../src/domain/glasses.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { profiles, tier_rollover } from '../../../src/server/db/schema.ts';
import {
  type Act,
  accessEnd,
  DAY,
  firstCardPeriod,
  HOUR,
  LIMITS,
  type Life,
  life,
  limitAt,
  MONTHLY_POURS,
  Model,
} from '../../support/glasses/ledger-model.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

// Checks that the SQL functions of the ledger match src/domain/glasses.ts, over random months of a member: due grants, the
// order of spending, rollover, voids, and held guest glasses.

let database: OpenDatabase;
const staff = v7();
beforeAll(async () => {
  database = await createTestDatabase();
  const limits = Object.entries(LIMITS).flatMap(([tier_name, all]) =>
    all.map(({ since, glasses }) => ({ tier_name, since: new Date(since), glasses })),
  );
  await database.db.insert(tier_rollover).values(limits);
  await database.db
    .insert(profiles)
    .values({ id: staff, name: 'Sam', email: 'sam@example.test', first_name: 'Sam', last_name: '' });
});
afterAll(() => database.close());

/** Stores a member, with a paid first period if by card. Returns the customer's id. */
async function storeMember(of: Life): Promise<string> {
  const { tier, zone, began, card, endsIn } = of;
  const [user, customer, membership] = [v7(), v7(), v7()];
  const { db } = database;
  const insert = (table: string, row: object) =>
    db.execute(
      sql`insert into ${sql.identifier(table)} select (jsonb_populate_record(null::${sql.identifier(table)}, ${JSON.stringify(row)}::jsonb)).*`,
    );
  await db
    .insert(profiles)
    .values({ id: user, name: 'm', email: `${user}@example.test`, first_name: 'm', last_name: '' });
  const start_date = localDate(began, zone);
  await insert('customers', {
    id: customer,
    user_id: user,
    tier,
    status: 'active',
    member_since: start_date,
    total_pours_lifetime: 0,
    created_at: began,
  });
  const subscription = card ? `sub_${customer}` : null;
  const { start, end } = firstCardPeriod(began);
  if (card) {
    await db.execute(sql`
      insert into billing_subscription (stripe_subscription_id, user_id, tier, status, cancel_at_period_end, current_period_start,
             current_period_end, access_until, amount_cents, currency, stripe_price_id, created_at, synced_at)
      values (${subscription}, ${user}, ${tier}, 'active', false, ${start.toISOString()}, ${end.toISOString()},
             ${accessEnd(of).toISOString()}, 100, 'usd', 'price_1', ${began.toISOString()}, ${began.toISOString()})`);
  }
  const ends_on = card || endsIn === null ? null : localDate(new Date(began.getTime() + endsIn * DAY), zone);
  await insert('memberships', {
    id: membership,
    customer_id: customer,
    tier,
    start_date,
    began_at: began,
    ends_on,
    is_gift: false,
    status: 'active',
    monthly_price_cents: 100,
    stripe_subscription_id: subscription,
  });
  if (card) {
    await insert('glass_grant', {
      id: v7(),
      customer_id: customer,
      membership_id: membership,
      kind: 'period',
      tier,
      glasses: MONTHLY_POURS[tier],
      rollable: limitAt(tier, start),
      period: start.toISOString().slice(0, 10),
      valid_from: start,
      valid_until: end,
      grace_days: card.grace,
      created_at: began,
    });
  }
  return customer;
}

async function call<Answer>(name: string, input: object): Promise<Answer> {
  const [row] = await rowsOf<{ answer: Answer }>(
    database.db,
    sql`select ${sql.raw(name)}(${JSON.stringify(input)}::jsonb) as answer`,
  );
  if (!row) throw new Error('A function call returned no row');
  return row.answer;
}

const pourRow = (
  id: string,
  customer_id: string,
  quantity: number,
  created_at: Date,
  recorded_at?: Date,
) => ({
  id,
  request_id: v7(),
  customer_id,
  quantity,
  location: 'main_bar',
  toast_reference_number: 'POUR-1',
  status: 'redeemed',
  recorded_by_staff_id: staff,
  created_at,
  recorded_at,
});

/** Carries an act out in both, and compares the results. */
async function carryOut(model: Model, customer: string, act: Act, now: Date, zone: string): Promise<void> {
  const id = v7();
  if ('pour' in act) {
    const at = act.late === undefined ? null : new Date(now.getTime() - act.late * HOUR);
    const row = at ? pourRow(id, customer, act.pour, at, now) : pourRow(id, customer, act.pour, now);
    const answer = await call<{ outcome: string }>('record_pour', { pour: row, time_zone: zone });
    expect(answer.outcome).toBe(
      at ? model.pourLate(id, act.pour, { at, now }) : model.pour(id, act.pour, now),
    );
  } else if ('void' in act) {
    const pour = model.pours[act.void % Math.max(1, model.pours.length)];
    if (!pour || pour.voided_at) return;
    const row = { pour_id: pour.id, reason: 'r', voided_by_staff_id: staff, created_at: now };
    await call('void_pour', { void: row, undo_seconds: 60, time_zone: zone });
    pour.voided_at = now;
  } else if ('give' in act) {
    const given = {
      id,
      request_id: v7(),
      customer_id: customer,
      kind: 'correction',
      glasses: act.give,
      reason: 'r',
      given_by_staff_id: staff,
      created_at: now,
    };
    expect((await call<{ outcome: string }>('give_glasses', { given, time_zone: zone })).outcome).toBe(
      model.give(act.give, now),
    );
  } else if ('hold' in act) {
    const guest = model.hold(id, now);
    if (!guest) return;
    const at = now.toISOString();
    await database.db.execute(sql`
      insert into guest_glass (id, customer_id, pool_id, created_at, expires_at, age_stated_at, age_stated)
      values (${id}, ${customer}, ${customer}, ${at}, ${guest.expires_at.toISOString()}, ${at}, 21)`);
    await database.db.execute(sql`select hold_glass(${id}::uuid, ${at}::timestamptz, ${zone})`);
  } else if ('withdraw' in act) {
    const guest = model.guests[act.withdraw % Math.max(1, model.guests.length)];
    if (!guest || guest.poured || guest.withdrawn) return;
    await database.db.execute(
      sql`update guest_glass set withdrawn_at = ${now.toISOString()} where id = ${guest.id}::uuid`,
    );
    guest.withdrawn = true;
  } else if ('pourHeld' in act) {
    const guest = model.guests[act.pourHeld % Math.max(1, model.guests.length)];
    if (!guest) return;
    const input = { pour: pourRow(id, customer, 1, now), guest_glass_id: guest.id, time_zone: zone };
    expect((await call<{ outcome: string }>('record_pour', input)).outcome).toBe(
      model.pourHeld(id, guest, now),
    );
  }
}

/** Compares the database's state of a member with the model's. */
async function compare(model: Model, customer: string, now: Date, zone: string): Promise<void> {
  const [has] = await rowsOf<{
    access: boolean;
    available: number;
    period_pours: number;
    pours_used: number;
    rolled: number;
    held: number;
    starts: number;
    ends: number;
    grants: { kind: string; pours: number }[];
  }>(
    database.db,
    sql`select access, available, period_pours, pours_used, rolled, held, grants,
               extract(epoch from period_start)::float8 as starts, extract(epoch from period_end)::float8 as ends
          from member_allowance(${customer}::uuid, ${now.toISOString()}::timestamptz, ${zone})`,
  );
  const access = model.access(now);
  // Without access no more grants are due.
  const running = access ? model.running(now) : [];
  const period = model.periodAt(now);
  const waiting = model.guests.filter((it) => model.waits(it, now) && running.includes(it.grant)).length;
  const poured = model.pours
    .filter(({ voided_at }) => !voided_at)
    .flatMap(({ from }) => [...from])
    .reduce((sum, [grant, glasses]) => sum + (running.includes(grant) ? glasses : 0), 0);
  expect(has && (access ? has : { ...has, period_pours: 0, pours_used: 0, rolled: 0, held: 0 })).toEqual({
    access,
    available: model.available(now),
    period_pours: running.reduce((sum, { glasses }) => sum + glasses, 0),
    pours_used: poured,
    rolled: running.reduce((sum, { kind, glasses }) => sum + (kind === 'rollover' ? glasses : 0), 0),
    held: waiting,
    starts: period.start.getTime() / 1000,
    ends: period.end.getTime() / 1000,
    grants: access
      ? inOrderOfSpending(running)
          .filter((it) => leftOf(it) > 0)
          .map((it) =>
            expect.objectContaining({
              kind: it.kind,
              pours: leftOf(it),
              until: it.valid_until.toISOString(),
            }),
          )
      : [],
  });
}

it('answers, over random months of a member, what the domain says', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (of) => {
      const model = new Model(of);
      const customer = await storeMember(of);
      if (of.card) model.makeDue(of.began);
      let now = of.began;
      for (const { hours, act } of of.steps) {
        // Two gifts of one instant have no order.
        const gap = hours === 0 && 'give' in act ? 1 : hours * HOUR;
        now = new Date(now.getTime() + gap);
        await compare(model, customer, now, of.zone);
        await carryOut(model, customer, act, now, of.zone);
        await compare(model, customer, now, of.zone);
        // As the task does every five minutes: a late pour finds the grants of a membership that has ended since.
        const at = now.toISOString();
        await database.db.execute(
          sql`select write_due_grants(${customer}::uuid, ${at}::timestamptz, ${of.zone})`,
        );
      }
    }),
    { numRuns: 80 },
  );
});
