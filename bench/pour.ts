/**
 * Recording a pour: record_pour in one round trip, compared with a transaction of an ORM that needs several for the
 * same rules, on the embedded database and on Postgres, in turn and in one run. Prints a markdown table:
 *
 *     npm run bench -- pour [pours in each round]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { availability, cardPeriod, decidePour, venuePeriod } from '../src/domain/allowance.ts';
import { pourReference } from '../src/domain/pour.ts';
import { type Db, openEmbedded, openPostgres } from '../src/server/db/client.ts';
import {
  billing_subscription,
  customers,
  memberships,
  pour_voids,
  pours,
  tier_definitions,
} from '../src/server/db/schema.ts';
import { recordPour } from '../src/server/pours/pours.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { barContext, createMembers } from './parts/members.ts';
import { median, short, took } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 200);
const ROUNDS = 5;
const MEMBERS = 2_000;
const NOW = new Date('2026-06-15T20:00:00Z');

type Method = (db: Db, staff: string, customer: string) => Promise<unknown>;

const oneTrip: Method = (db, staff, customer) =>
  recordPour(barContext(db, staff, NOW), {
    request_id: v7(),
    customer_id: customer,
    quantity: 1,
    location: 'bar',
  });

/** The same decision by the rules in src/domain: lock, look for the request, read standing and ledger, write. */
const severalTrips: Method = (db, staff, customer) =>
  db.transaction(async (tx) => {
    const [member] = await tx.select().from(customers).where(eq(customers.id, customer)).for('no key update');
    if (!member) throw new Error('no such member');
    const request_id = v7();
    const repeated = await tx.select().from(pours).where(eq(pours.request_id, request_id));
    if (repeated.length > 0) return;
    const [terms] = await tx
      .select({ monthly_pours: tier_definitions.monthly_pours, subscription: billing_subscription })
      .from(customers)
      .innerJoin(tier_definitions, eq(tier_definitions.tier_name, customers.tier))
      .leftJoin(memberships, and(eq(memberships.customer_id, customers.id), eq(memberships.status, 'active')))
      .leftJoin(
        billing_subscription,
        eq(billing_subscription.stripe_subscription_id, memberships.stripe_subscription_id),
      )
      .where(eq(customers.id, customer));
    const card = terms?.subscription;
    const period = card
      ? cardPeriod({ start: card.current_period_start, end: card.current_period_end }, NOW)
      : venuePeriod(member.member_since, NOW, 'UTC');
    const ledger = await tx
      .select({ quantity: pours.quantity, created_at: pours.created_at, voided: pour_voids.created_at })
      .from(pours)
      .leftJoin(pour_voids, eq(pour_voids.pour_id, pours.id))
      .where(and(eq(pours.customer_id, customer), sql`${pours.created_at} >= ${period.start.toISOString()}`));
    const has = availability(
      terms?.monthly_pours ?? 0,
      ledger.map((it) => ({ ...it, voided: it.voided !== null })),
      period,
    );
    const decision = decidePour(member.status === 'active', has, 1);
    if (decision.outcome !== 'recorded') throw new Error(decision.outcome);
    await tx.insert(pours).values({
      id: v7(),
      request_id,
      customer_id: customer,
      quantity: 1,
      location: 'main_bar',
      toast_reference_number: pourReference(NOW),
      status: 'redeemed',
      recorded_by_staff_id: staff,
      created_at: NOW,
    });
    await tx
      .update(customers)
      .set({ total_pours_lifetime: member.total_pours_lifetime + 1, last_activity: NOW })
      .where(eq(customers.id, customer));
  });

/** Pours per second, with that many bartenders at once. */
async function rate(db: Db, method: Method, bartenders: number): Promise<number> {
  const { staff, members } = await createMembers(db, MEMBERS, NOW);
  let next = 0;
  const bartender = async () => {
    for (let i = next++; i < POURS; i = next++) await method(db, staff, members[i % MEMBERS] ?? '');
  };
  const ms = await took(() => Promise.all(Array.from({ length: bartenders }, bartender)));
  return POURS / (ms / 1000);
}

async function measure(name: string, db: Db, bartenders: number): Promise<void> {
  const [one, several]: [number[], number[]] = [[], []];
  await rate(db, oneTrip, bartenders);
  await rate(db, severalTrips, bartenders);
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await rate(db, oneTrip, bartenders));
    several.push(await rate(db, severalTrips, bartenders));
  }
  const [a, b] = [median(one), median(several)];
  console.log(`| ${name} | ${bartenders} | ${short(a)} | ${short(b)} | ${short(a / b)} |`);
}

const folder = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));
const server = await startPostgres();
const embedded = await openEmbedded(folder);
const postgres = await openPostgres(server.url);
try {
  console.log(`Pours per second, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log('| database | bartenders at once | record_pour | ORM transaction | ratio |');
  console.log('|---|---|---|---|---|');
  await measure('embedded', embedded.db, 1);
  await measure('embedded', embedded.db, 8);
  await measure('Postgres', postgres.db, 1);
  await measure('Postgres', postgres.db, 8);
} finally {
  await embedded.close();
  await postgres.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
