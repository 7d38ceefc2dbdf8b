/**
 * How the database grows with pours: bytes of a row with its indexes, bytes of log for each pour recorded, and whether
 * recording, and the card at the bar with the member's last pour, get slower as the ledger grows. The database makes the
 * pours itself: a million take minutes. Prints markdown tables:
 *
 *     npm run bench -- ledger-growth [pours ...]
 */
import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { writeLedger } from '../scripts/demo/write-ledger.ts';
import { type Db, openPostgres } from '../src/server/db/client.ts';
import { rowsOf } from '../src/server/db/results.ts';
import { getBarCard } from '../src/server/pours/bar-card.ts';
import { recordPour } from '../src/server/pours/pours.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { fillWithMembers, PATIENT } from './parts/crowd.ts';
import { barContext } from './parts/members.ts';
import { median, short, took } from './parts/timing.ts';

/** Pours per member in all, over ten years; a tenth of them voided. */
const POURS_EACH = 100;
const RECORDED = 300;
const NOW = new Date('2026-06-15T20:00:00Z');
/** Before the first of these pours. */
const SINCE = '2016-08-01';

interface Size {
  pours: number;
  pourMs: number;
  cardMs: number;
  logBytes: number;
}

const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const server = await startPostgres();
try {
  const measured: Size[] = [];
  for (const size of sizes.length > 0 ? sizes : [10_000, 1_000_000]) measured.push(await measure(size));
  const [smallest] = measured;
  console.log(`\nMedians of ${RECORDED} pours, and of as many cards at the bar\n`);
  console.log(
    '| pours in the ledger | a pour, ms | against the smallest | a card, ms | against the smallest | bytes of log for a pour |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const { pours, pourMs, cardMs, logBytes } of measured) {
    const against = (own: number, first = Number.NaN) => (own / first).toFixed(2);
    console.log(
      `| ${pours.toLocaleString('en')} | ${short(pourMs)} | ${against(pourMs, smallest?.pourMs)} | ${short(cardMs)} | ${against(cardMs, smallest?.cardMs)} | ${logBytes.toFixed(0)} |`,
    );
  }
} finally {
  await server.stop();
}

/** Memberships, and pours over ten years, each in one statement, with the ledger behind them; with triggers off. */
async function fillLedger(db: Db, staff: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update customers set member_since = ${SINCE}`);
    await tx.execute(sql`
      insert into memberships (id, customer_id, tier, start_date, status, monthly_price_cents)
      select gen_random_uuid(), id, tier, member_since, 'active', 3900 from customers`);
    await tx.execute(sql`
      insert into pours (id, request_id, customer_id, quantity, location, toast_reference_number, status,
                         recorded_by_staff_id, created_at)
      select gen_random_uuid(), gen_random_uuid(), c.id, 1, 'main_bar', 'POUR-1781553600000', 'redeemed', ${staff}::uuid,
             ${NOW.toISOString()}::timestamptz - random() * interval '3600 days'
        from generate_series(1, ${POURS_EACH}::integer) i cross join customers c order by random()`);
    await tx.execute(sql`
      insert into pour_voids (pour_id, reason, voided_by_staff_id, created_at)
      select id, 'spilled', ${staff}::uuid, created_at from pours where random() < 0.1`);
    await writeLedger(tx, { now: NOW, timeZone: 'UTC' });
  });
  for (const table of ['pours', 'pour_voids', 'customers', 'memberships', 'glass_grant', 'glass_debit'])
    await db.execute(sql.raw(`vacuum analyze ${table}`));
}

async function measure(size: number): Promise<Size> {
  const url = new URL(server.url);
  url.pathname = `/ledger_${size}`;
  const admin = await openPostgres(server.url);
  await admin.db.execute(sql.raw(`create database ledger_${size} template template0 encoding 'UTF8'`));
  await admin.close();
  const { db, close } = await openPostgres(url.href, {
    limits: PATIENT,
  });
  try {
    await fillWithMembers(db, Math.ceil(size / POURS_EACH));
    const [one] = await rowsOf<{ id: string }>(db, sql`select id from profiles limit 1`);
    await db.execute(sql`update tier_definitions set monthly_pours = 1000000`);
    await fillLedger(db, one?.id ?? '');
    const members = await rowsOf<{ id: string }>(
      db,
      sql`select id from customers order by id limit ${RECORDED}`,
    );

    console.log(
      `\n${size.toLocaleString('en')} pours\n\n| table | rows | bytes a row, with indexes |\n|---|---|---|`,
    );
    const tables = await rowsOf<{ name: string; rows: number; bytes: number }>(
      db,
      sql`select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes from pg_class
           where relname in ('pours', 'pour_voids', 'glass_grant', 'glass_debit', 'customers', 'profiles', 'profile_search') order by 3 desc`,
    );
    for (const { name, rows, bytes } of tables) {
      console.log(`| ${name} | ${rows.toLocaleString('en')} | ${(bytes / rows).toFixed(0)} |`);
    }
    const ctx = barContext(db, one?.id ?? '', NOW);
    const times: number[] = [];
    // After a checkpoint each page is logged whole once; only then is the log the cost of a pour.
    await db.execute(sql`checkpoint`);
    const [before] = await rowsOf<{ at: string }>(db, sql`select pg_current_wal_insert_lsn()::text as at`);
    for (const { id } of members) {
      const pour = { request_id: v7(), customer_id: id, quantity: 1, location: 'bar' as const };
      times.push(await took(() => recordPour(ctx, pour)));
    }
    const [log] = await rowsOf<{ bytes: number }>(
      db,
      sql`select (pg_current_wal_insert_lsn() - ${before?.at}::pg_lsn)::float8 as bytes`,
    );
    const cards: number[] = [];
    for (const { id } of members) cards.push(await took(() => getBarCard(ctx, { id })));
    return {
      pours: size,
      pourMs: median(times),
      cardMs: median(cards),
      logBytes: (log?.bytes ?? 0) / members.length,
    };
  } finally {
    await close();
  }
}
