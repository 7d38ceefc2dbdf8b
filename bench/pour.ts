/**
 * Recording a pour: record_pour in one round trip, compared with a transaction of an ORM that needs several for the
 * same rules, on the embedded database and on Postgres, in turn and in one run. Prints a markdown table:
 *
 *     npm run bench -- pour [pours in each round]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  availableOf,
  cardPeriod,
  decidePour,
  type Grant,
  spend,
  venuePeriod,
} from '../src/domain/glasses.ts';
import { pourReference } from '../src/domain/pour.ts';
import { type Db, openEmbedded, openPostgres, type Tx } from '../src/server/db/client.ts';
import {
  billing_subscription,
  customers,
  glass_change,
  glass_debit,
  glass_grant,
  memberships,
  pour_voids,
  pours,
} from '../src/server/db/schema.ts';
import { recordPour } from '../src/server/pours/pours.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { barContext, createMembers } from './parts/members.ts';
import { median, short, took } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 200);
const ROUNDS = 5;
/** No more than get a pour in a round. */
const MEMBERS = Math.min(POURS, 2_000);
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
    const [has] = await tx
      .select({ membership: memberships, card: billing_subscription })
      .from(memberships)
      .leftJoin(
        billing_subscription,
        eq(billing_subscription.stripe_subscription_id, memberships.stripe_subscription_id),
      )
      .where(and(eq(memberships.customer_id, customer), eq(memberships.status, 'active')));
    if (!has) throw new Error('no membership');
    const { membership, card } = has;
    const period = card
      ? cardPeriod({ start: card.current_period_start, end: card.current_period_end }, NOW)
      : venuePeriod(membership.start_date, NOW, 'UTC');
    const grants = await grantsOf(tx, membership.id, period.start);
    const decision = decidePour(member.status === 'active', availableOf(grants), 1);
    const taken = spend(grants, 1);
    if (decision.outcome !== 'recorded' || !taken) throw new Error(decision.outcome);
    const id = v7();
    await tx.insert(pours).values({
      id,
      request_id,
      customer_id: customer,
      quantity: 1,
      location: 'main_bar',
      toast_reference_number: pourReference(NOW),
      status: 'redeemed',
      recorded_by_staff_id: staff,
      created_at: NOW,
    });
    const debits = [...taken].map(([{ grant_id }, glasses]) => ({ grant_id, glasses, pour_id: id }));
    await tx.insert(glass_debit).values(debits);
    await tx
      .update(customers)
      .set({ total_pours_lifetime: member.total_pours_lifetime + 1, last_activity: NOW })
      .where(eq(customers.id, customer));
  });

/** The grants of a period as they stand, which have been written. */
async function grantsOf(
  tx: Tx,
  membership_id: string,
  from: Date,
): Promise<(Grant & { grant_id: string })[]> {
  const rows = await tx
    .select()
    .from(glass_grant)
    .where(and(eq(glass_grant.membership_id, membership_id), eq(glass_grant.valid_from, from)));
  const ids = rows.map(({ id }) => id);
  const changes = await tx.select().from(glass_change).where(inArray(glass_change.grant_id, ids));
  const debits = await tx
    .select({ grant_id: glass_debit.grant_id, glasses: glass_debit.glasses })
    .from(glass_debit)
    .leftJoin(pour_voids, eq(pour_voids.pour_id, glass_debit.pour_id))
    .where(and(inArray(glass_debit.grant_id, ids), isNull(pour_voids.pour_id)));
  const sum = (of: { grant_id: string; glasses: number }[], id: string) =>
    of.filter(({ grant_id }) => grant_id === id).reduce((all, { glasses }) => all + glasses, 0);
  return rows.map(({ id, kind, glasses, rollable, valid_from, valid_until }) => ({
    ...{ grant_id: id, kind, rollable, valid_from, valid_until },
    glasses: glasses + sum(changes, id),
    taken: sum(debits, id),
  }));
}

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
