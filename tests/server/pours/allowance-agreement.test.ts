import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  availability,
  cardPeriod,
  carriedPours,
  decideGift,
  decidePour,
  periodPours,
  venuePeriod,
} from '../../../src/domain/allowance.ts';
import { localDate, startOfDay } from '../../../src/domain/calendar.ts';
import { guestGlassObstacle, isHeld } from '../../../src/domain/membership/guest-glass.ts';
import { rolledLeft, rolledOver } from '../../../src/domain/membership/rollover.ts';
import { hasUnusedGlasses, UNUSED_DAYS } from '../../../src/domain/reports/at-risk.ts';
import { accessUntil, SUBSCRIPTION_STATUSES } from '../../../src/domain/standing.ts';
import { tierInForce } from '../../../src/domain/tier-change.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { tier_rollover } from '../../../src/server/db/schema.ts';
import { findGlassesLeft } from '../../../src/server/reports/at-risk/glasses-left.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const since = (year: number) => new Date(Date.UTC(year, 6, 1));
  await database.db.insert(tier_rollover).values([
    { tier_name: 'select', since: since(2024), glasses: ROLLOVER.select.since_2024 },
    { tier_name: 'select', since: since(2026), glasses: ROLLOVER.select.since_2026 },
    { tier_name: 'premier', since: since(2000), glasses: ROLLOVER.premier },
  ]);
});
afterAll(() => database.close());

const MONTHLY_POURS = { select: 4, premier: 8, elite: 14, household: 20 };
/** Household and elite let none roll over; select from 2024-07-01 on, and fewer from 2026-07-01 on. */
const ROLLOVER = { select: { since_2024: 3, since_2026: 1 }, premier: 100 };

function mostThatRollOver(tier: keyof typeof MONTHLY_POURS, begins: Date): number {
  if (tier === 'premier') return ROLLOVER.premier;
  if (tier !== 'select' || begins < new Date('2024-07-01T00:00:00Z')) return 0;
  return begins < new Date('2026-07-01T00:00:00Z') ? ROLLOVER.select.since_2024 : ROLLOVER.select.since_2026;
}

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

/** A stored period: with which tier it began, what was changed in it, and whether it is paid. */
const storedPeriod = {
  tier: fc.constantFrom('select' as const, 'premier' as const, 'household' as const),
  changes: fc.array(
    fc.record({
      to: fc.constantFrom('select' as const, 'premier' as const, 'household' as const),
      glasses: fc.integer({ min: -8, max: 12 }),
    }),
    { maxLength: 2 },
  ),
  paid: fc.boolean(),
  returned: fc.constantFrom(false, false, false, true),
  carried_pours: fc.integer({ min: 0, max: 5 }),
  grace_days: fc.constantFrom(1, 7, 21),
};
type StoredPeriod = {
  [K in keyof typeof storedPeriod]: (typeof storedPeriod)[K] extends fc.Arbitrary<infer T> ? T : never;
};

const situation = fc.record({
  tier: fc.constantFrom(...(Object.keys(MONTHLY_POURS) as (keyof typeof MONTHLY_POURS)[])),
  zone: fc.constantFrom(...ZONES),
  member_since: day,
  /** The day the membership began, which for a former member is not 'member since'. */
  began: day,
  active: fc.boolean(),
  card: fc.option(
    fc.record({
      status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
      cancel: fc.boolean(),
      startsDaysAgo: fc.integer({ min: -2, max: 60 }),
      pending: fc.option(fc.constantFrom('select' as const, 'premier' as const), { nil: null }),
      graceDays: fc.option(fc.integer({ min: -3, max: 7 }), { nil: null }),
      known: fc.option(fc.record(storedPeriod), { nil: null }),
    }),
    { nil: null },
  ),
  /** In so many days staff end a membership at the venue; null for not at all. */
  endsIn: fc.option(fc.integer({ min: -3, max: 40 }), { nil: null }),
  /** The stored period before this one; it may overlap it, or end some days before. */
  last: fc.option(
    fc.record({
      ...storedPeriod,
      daysBefore: fc.integer({ min: 1, max: 40 }),
      atVenue: fc.boolean(),
      /** Of the same subscription, and right before this one. */
      renewed: fc.boolean(),
      /** What rolled over into it. */
      rolled: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
    }),
    { nil: null },
  ),
  now: instant,
  ledger: fc.array(
    fc.record({
      hoursAgo: fc.integer({ min: 0, max: 24 * 70 }),
      quantity: fc.integer({ min: 1, max: 5 }),
      voided: fc.boolean(),
      /** A void may come after the period of its pour. */
      voidedHoursLater: fc.integer({ min: 0, max: 24 * 40 }),
    }),
    { maxLength: 8 },
  ),
  gifts: fc.array(
    fc.record({
      hoursAgo: fc.integer({ min: 0, max: 24 * 70 }),
      glasses: fc.integer({ min: -6, max: 6 }).filter(Boolean),
    }),
    { maxLength: 4 },
  ),
  /** Glasses that wait for guests, or did: hours ago, and hours until they expire. */
  guests: fc.array(
    fc.record({
      hoursAgo: fc.integer({ min: 0, max: 24 * 40 }),
      expiresIn: fc.integer({ min: -24, max: 24 * 7 }),
      withdrawn: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  /** Whether the pour is of the first of them. */
  for_guest: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 6 }),
  /** What staff then give, or take back. */
  gift: fc.integer({ min: -6, max: 6 }).filter(Boolean),
});

type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

const DAY = 86_400_000;
/** Each is about a member of its own, so that so many are stored and asked about by one statement. */
const AT_ONCE = 25;

/** In this order, because the later ones need the earlier ones. */
const TABLES = [
  'profiles',
  'customers',
  'billing_subscription',
  'memberships',
  'pours',
  'pour_voids',
  'allowance_gift',
  'allowance_period',
  'allowance_change',
  'allowance_rollover',
  'guest_glass',
] as const;
type Row = Record<string, unknown>;
type Rows = Record<(typeof TABLES)[number], Row[]>;
const noRows = () => Object.fromEntries(TABLES.map((table) => [table, [] as Row[]])) as Rows;

async function store(all: Rows[]): Promise<void> {
  for (const table of TABLES) {
    const rows = all.flatMap((it) => it[table]);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].sort();
    if (names.length === 0) continue;
    const to = sql.identifier(table);
    const columns = sql.join(
      names.map((name) => sql.identifier(name)),
      sql`, `,
    );
    await database.db.execute(
      sql`insert into ${to} (${columns})
          select ${columns} from jsonb_populate_recordset(null::${to}, ${JSON.stringify(rows)}::jsonb)`,
    );
  }
}

/** What `answer` says of each input, where it is `it`; in their order. */
async function askAll<Answer>(inputs: object[], answer: SQL): Promise<Answer[]> {
  const found = await rowsOf<{ answer: Answer }>(
    database.db,
    sql`select ${answer} as answer
          from jsonb_array_elements(${JSON.stringify(inputs)}::jsonb) with ordinality asked(it, place) order by place`,
  );
  return found.map((row) => row.answer);
}

const termsOf = ({ tier, changes, ...period }: StoredPeriod) => ({
  ...period,
  rolled_pours: 0,
  tier_pours: MONTHLY_POURS[tier],
  given_pours: 0,
  changed_pours: changes.reduce((sum, { glasses }) => sum + glasses, 0),
});

/** A period with what was changed in it. */
function addPeriod(
  rows: Rows,
  { changes, ...row }: StoredPeriod,
  of: { customer_id: string; starts_at: Date; ends_at: Date; stripe_subscription_id: string | null },
): void {
  rows.allowance_period.push({ ...row, ...of });
  for (const { to, glasses } of changes) {
    rows.allowance_change.push({
      id: v7(),
      customer_id: of.customer_id,
      period_starts_at: of.starts_at,
      to_tier: to,
      glasses,
      prorated_at: of.starts_at,
      created_at: of.starts_at,
    });
  }
}

/** What is stored of a situation, what is then asked, and what the domain answers. */
function caseOf({ tier, zone, began, active, card, last, now, ...poured }: Situation, staff: string) {
  const rows = noRows();
  const { member_since, ledger, gifts, gift, guests, for_guest, endsIn } = poured;
  const user = v7();
  const customer = v7();
  const name = { name: 'm', first_name: 'm', last_name: '' };
  rows.profiles.push({ id: user, email: `${user}@example.test`, ...name });
  const status = active ? 'active' : 'inactive';
  rows.customers.push({ id: customer, user_id: user, tier, status, member_since, created_at: now });

  let period = venuePeriod(began, now, zone);
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
    rows.billing_subscription.push({
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
    period = cardPeriod(stored, now);
    counted = tierInForce(tier, pending, period.start) as typeof tier;
    access = active && until !== null && now < until;
  }
  const ends_on = card || endsIn === null ? null : localDate(new Date(now.getTime() + endsIn * DAY), zone);
  if (ends_on) access = active && localDate(now, zone) < ends_on;
  rows.memberships.push({
    ends_on,
    id: v7(),
    customer_id: customer,
    tier,
    start_date: began,
    status: 'active',
    monthly_price_cents: 100,
    stripe_subscription_id: card ? `sub_${customer}` : null,
  });
  const entries = ledger.map((it) => ({
    ...it,
    created_at: new Date(now.getTime() - it.hoursAgo * 3_600_000),
    voided_at: it.voided
      ? new Date(now.getTime() - Math.max(0, it.hoursAgo - it.voidedHoursLater) * 3_600_000)
      : null,
  }));
  for (const entry of entries) {
    const id = v7();
    rows.pours.push({
      id,
      request_id: v7(),
      customer_id: customer,
      quantity: entry.quantity,
      location: 'main_bar',
      toast_reference_number: 'POUR-1',
      status: 'redeemed',
      recorded_by_staff_id: staff,
      created_at: entry.created_at,
    });
    if (entry.voided_at) {
      rows.pour_voids.push({ pour_id: id, voided_by_staff_id: staff, created_at: entry.voided_at });
    }
  }

  const given_by = gifts.map(({ hoursAgo, glasses }) => ({
    glasses,
    created_at: new Date(now.getTime() - hoursAgo * 3_600_000),
  }));
  for (const it of given_by) {
    const ids = { id: v7(), request_id: v7(), customer_id: customer, given_by_staff_id: staff };
    rows.allowance_gift.push({ ...ids, ...it, kind: 'correction', reason: 'r' });
  }
  const givenIn = ({ start, end }: { start: Date; end: Date }) =>
    given_by.reduce((sum, it) => sum + (it.created_at >= start && it.created_at < end ? it.glasses : 0), 0);

  const subscription = card ? `sub_${customer}` : null;
  const daysBefore = last?.renewed ? 30 : (last?.daysBefore ?? 0);
  const before = last && {
    ...last,
    // Without a card there is no subscription that it could be of.
    atVenue: last.atVenue || (last.renewed && !card),
    start: new Date(period.start.getTime() - daysBefore * DAY),
    end: new Date(period.start.getTime() - daysBefore * DAY + 30 * DAY),
  };
  const rolledBefore = before?.rolled ?? 0;
  if (before) {
    const { daysBefore: _, atVenue, renewed, rolled: __, start, end, ...row } = before;
    const stripe_subscription_id = atVenue ? null : renewed ? subscription : 'sub_before';
    addPeriod(rows, row, {
      customer_id: customer,
      starts_at: start,
      ends_at: end,
      stripe_subscription_id,
    });
    if (rolledBefore > 0) {
      const from_starts_at = new Date(start.getTime() - DAY);
      const row = { customer_id: customer, period_starts_at: start, from_starts_at, created_at: start };
      rows.allowance_rollover.push({ ...row, tier: 'select', glasses: rolledBefore });
    }
  }
  if (card?.known) {
    addPeriod(rows, card.known, {
      customer_id: customer,
      starts_at: period.start,
      ends_at: period.end,
      stripe_subscription_id: subscription,
    });
  }
  const carriedInto = (): number => {
    if (!card || !before) return 0;
    const { daysBefore: _, atVenue, renewed: __, rolled: ___, start, end, ...row } = before;
    const until = end < period.start ? end : period.start;
    const gap = { start: until, end: period.start };
    const used = availability(0, entries, { start, end: until }).pours_used;
    const awaited = Math.max(0, availability(0, entries, gap).pours_used - givenIn(gap));
    const terms = {
      ...termsOf(row),
      given_pours: givenIn({ start, end: until }),
      rolled_pours: rolledBefore,
    };
    return carriedPours(terms, used, atVenue ? 0 : awaited);
  };
  const pouredBy = ({ start, end }: { start: Date; end: Date }) =>
    entries.reduce((sum, it) => {
      const counts = it.created_at >= start && it.created_at < end && !(it.voided_at && it.voided_at < end);
      return sum + (counts ? it.quantity : 0);
    }, 0);
  const rolledInto = (): number => {
    if (card) {
      if (!before?.renewed || before.atVenue) return 0;
      const { tier: began, changes, start, end } = before;
      return rolledOver({
        ...termsOf(before),
        given_pours: givenIn({ start, end }),
        rolled_pours: rolledBefore,
        poured: pouredBy({ start, end }),
        at_most: [began, ...changes.map(({ to }) => to)].map((it) => mostThatRollOver(it, start)),
      });
    }
    const ended = venuePeriod(began, new Date(period.start.getTime() - DAY / 2), zone);
    if (ended.start < startOfDay(began, zone)) return 0;
    // A period at the venue has a row only where unpaid pours were carried into it.
    const stored = before?.atVenue && before.start.getTime() === ended.start.getTime() ? before : null;
    const rolledAt = before && before.start >= ended.start && before.start < ended.end;
    return rolledOver({
      tier_pours: MONTHLY_POURS[tier],
      changed_pours: 0,
      given_pours: givenIn(ended),
      carried_pours: stored?.carried_pours ?? 0,
      rolled_pours: rolledAt ? rolledBefore : 0,
      poured: pouredBy(ended),
      paid: true,
      returned: false,
      at_most: [mostThatRollOver(tier, ended.start)],
    });
  };
  const termsNow = () => ({
    ...(card?.known
      ? termsOf(card.known)
      : {
          tier_pours: MONTHLY_POURS[counted],
          changed_pours: 0,
          paid: !card,
          carried_pours: carriedInto(),
          grace_days: before?.grace_days ?? 7,
        }),
    given_pours: givenIn(period),
    rolled_pours: rolledInto(),
  });
  let terms = termsNow();
  const { rolled_pours } = terms;
  const given = periodPours(terms, period);
  const promised = guests.map((it) => ({
    id: v7(),
    created_at: new Date(now.getTime() - it.hoursAgo * 3_600_000),
    expires_at: new Date(now.getTime() + it.expiresIn * 3_600_000),
    age_stated: true,
    withdrawn: it.withdrawn,
    poured: false,
  }));
  for (const { id, created_at, expires_at, withdrawn } of promised) {
    rows.guest_glass.push({
      id,
      customer_id: customer,
      pool_id: customer,
      created_at,
      expires_at,
      age_stated_at: created_at,
      age_stated: 21,
      withdrawn_at: withdrawn ? created_at : null,
    });
  }
  const held = promised.filter((it) => isHeld(it, period, now)).length;
  const has = availability(given, entries, period, terms.carried_pours, held);
  const allowance = {
    tier_max: has.tier_max,
    pours_used: has.pours_used,
    when_paid: periodPours({ ...terms, paid: true }, period) - given,
    carried: terms.carried_pours,
    held,
    rolled: rolled_pours,
    rolled_left: rolledLeft(
      rolled_pours,
      has.pours_used - terms.carried_pours,
      held,
      access ? has.available_pours : 0,
    ),
  };
  const ends_in_days = Math.ceil((period.end.getTime() - now.getTime()) / DAY);
  const left = access ? has.available_pours : 0;
  const at_risk =
    ends_in_days < UNUSED_DAYS + 2 ? hasUnusedGlasses({ left, given, ends_in_days }) : 'not asked';
  const outcome = decideGift(access, has, gift);
  // A stored period may begin later than now; then the gift is in the one before.
  if (outcome === 'given') given_by.push({ glasses: gift, created_at: now });
  terms = termsNow();
  const hasNow = availability(periodPours(terms, period), entries, period, terms.carried_pours, held);
  const [glass] = for_guest ? promised : [];
  const quantity = glass ? 1 : poured.quantity;
  const decided = decidePour(access, hasNow, quantity, glass !== undefined);
  const obstacle = glass && access ? guestGlassObstacle(glass, period, now) : null;
  const expected = obstacle ? { outcome: 'guest_glass', reason: obstacle } : decided;
  const recorded = expected.outcome === 'recorded';
  const ids = () => ({ id: v7(), request_id: v7(), customer_id: customer });
  return {
    customer,
    zone,
    now,
    rows,
    allowance,
    at_risk,
    gift: {
      gift: {
        ...ids(),
        kind: 'correction',
        glasses: gift,
        reason: 'r',
        given_by_staff_id: staff,
        created_at: now,
      },
      time_zone: zone,
    },
    gift_decided: { outcome, ...(outcome === 'given' && { available: hasNow.available_pours }) },
    pour: {
      pour: {
        ...ids(),
        quantity,
        location: 'main_bar',
        toast_reference_number: 'POUR-2',
        status: 'redeemed',
        recorded_by_staff_id: staff,
        created_at: now,
      },
      time_zone: zone,
      guest_glass_id: glass?.id,
    },
    pour_decided: {
      outcome: expected.outcome,
      ...('available_pours' in expected && { available: expected.available_pours }),
      ...('reason' in expected && { reason: expected.reason }),
    },
    // A period may begin while the call waits for the member: the glass counts in the one that gave it.
    counts_from: recorded ? Math.max(now.getTime(), period.start.getTime()) : null,
    period_start: period.start,
    // The first pour of a period writes down what rolled over into it.
    written: {
      rolled_over: recorded && terms.rolled_pours > 0 ? [terms.rolled_pours] : [],
      lifetime: recorded ? quantity : 0,
    },
  };
}

it('record_pour decides as the domain does, for every tier, zone, standing and ledger', {
  timeout: 900_000,
}, async () => {
  const { db } = database;
  const staff = v7();
  const name = { name: 's', first_name: 's', last_name: '' };
  await store([{ ...noRows(), profiles: [{ id: staff, email: 's@example.test', ...name }] }]);
  const situations = fc.array(situation, { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(situations, async (them) => {
      const cases = them.map((it) => caseOf(it, staff));
      await store(cases.map(({ rows }) => rows));
      const members = cases.map(({ customer, now, zone, period_start }) => ({
        customer,
        now,
        zone,
        period_start,
      }));
      const allowances = await askAll(
        members,
        sql`(select jsonb_build_object('tier_max', tier_max, 'pours_used', pours_used, 'when_paid', when_paid,
                      'carried', carried, 'held', held, 'rolled', rolled, 'rolled_left', rolled_left)
               from member_allowance((it->>'customer')::uuid, (it->>'now')::timestamptz, it->>'zone'))`,
      );
      expect(allowances).toEqual(cases.map(({ allowance }) => allowance));
      // Members at risk are found by the same rule, for all of them at once.
      for (const { customer, now, zone, at_risk } of cases.filter((it) => it.at_risk !== 'not asked')) {
        const found = await findGlassesLeft(db, { now, timeZone: zone, only: customer });
        expect([...found]).toEqual(at_risk ? [customer] : []);
      }
      const given = await askAll(
        cases.map(({ gift }) => gift),
        sql`give_glasses(it)`,
      );
      expect(given).toMatchObject(cases.map(({ gift_decided }) => gift_decided));
      const decided = await askAll<{ pour: { created_at: string } | null }>(
        cases.map(({ pour }) => pour),
        sql`record_pour(it)`,
      );
      expect(decided).toMatchObject(cases.map(({ pour_decided }) => pour_decided));
      const counts_from = cases.map((it, place) =>
        it.counts_from === null ? null : Date.parse(decided[place]?.pour?.created_at ?? ''),
      );
      expect(counts_from).toEqual(cases.map((it) => it.counts_from));
      const written = await askAll(
        members,
        sql`(select jsonb_build_object('lifetime', total_pours_lifetime, 'rolled_over',
                      (select coalesce(jsonb_agg(glasses), '[]') from allowance_rollover
                        where customer_id = c.id and period_starts_at = (it->>'period_start')::timestamptz))
               from customers c where c.id = (it->>'customer')::uuid)`,
      );
      expect(written).toEqual(cases.map((it) => it.written));
    }),
    { numRuns: 1500 / AT_ONCE },
  );
});
