/** With a number of grants, a hundred months of each member of a larger club are written first. */
import { Pool } from 'pg';
import { v7 } from 'uuid';
import { addMonths, localDate } from '../src/domain/calendar.ts';
import { type Db, openPostgres } from '../src/server/db/client.ts';
import { sql } from '../src/server/db/orm.ts';
import { rowsOf } from '../src/server/db/results.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { Connections } from './parts/connections.ts';
import { PATIENT } from './parts/crowd.ts';
import { createMembers } from './parts/members.ts';
import { createPgbenchTables, hasPgbench, startPgbench } from './parts/pgbench.ts';
import {
  type Browser,
  createStaff,
  inTurn,
  pourRequests,
  processorTime,
  rate,
  sendPour,
  startServer,
} from './parts/server.ts';
import { median, short } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 500);
const ROUNDS = Number(process.argv[3] ?? 15);
const GRANTS = Number(process.argv[4] ?? 0);
/** Months of grants for each member, if a number of grants is given. */
const MONTHS = 100;
const CLIENTS = [16, 4, 1];
/** Enough members that none has more than a few glasses this month: the function counts them. */
const MEMBERS = 10_000;
/** Staff accounts; each may record 3,000 a minute. */
const BARTENDERS = 40;
/** Pours until the optimizer has compiled their code. */
const WARM_UP = 12_000;
const PGBENCH_MS = 500;

function callFunction(pool: Pool, members: string[], staff: Browser[]) {
  return (turn: number) => {
    const pour = {
      id: v7(),
      request_id: v7(),
      customer_id: inTurn(members, turn),
      quantity: 1,
      location: 'main_bar',
      toast_reference_number: 'POUR-1',
      status: 'redeemed',
      created_at: new Date(),
      recorded_by_staff_id: inTurn(staff, turn).id,
    };
    const input = JSON.stringify({ pour, time_zone: 'UTC' });
    return pool.query({ name: 'record_pour', text: 'select record_pour($1::jsonb)', values: [input] });
  };
}

let count = 0;
/** The next `pours` members in turn: each is used again only after all others. */
function nextOf(members: string[], pours: number): string[] {
  const from = count;
  count += pours;
  return Array.from({ length: pours }, (_, turn) => inTurn(members, from + turn));
}

interface Round {
  bench: number;
  driver: number;
  http: number;
  cost: number;
}

const postgres = await startPostgres();
const server = await startServer(postgres.url);
// Writing many grants takes longer than the product's limit for statements.
const database = await openPostgres(postgres.url, { limits: PATIENT });

async function measure(clients: number, members: string[], staff: Browser[]): Promise<Round[]> {
  const pool = new Pool({ connectionString: postgres.url, max: clients });
  // If something else failed, show its own error.
  pool.on('error', () => undefined);
  const connections = new Connections(server.url);
  const direct = (pours: number) => rate(clients, pours, callFunction(pool, nextOf(members, pours), staff));
  const overHttp = (pours: number) => {
    const requests = pourRequests(connections, staff, nextOf(members, pours));
    return rate(clients, pours, (turn) => sendPour(connections, requests[turn]));
  };
  const pgbench = hasPgbench
    ? await startPgbench(database.db, { url: postgres.url, clients, members: members.length })
    : null;
  try {
    await direct(WARM_UP / 4);
    await overHttp(WARM_UP);
    // This Postgres runs without autovacuum, so plans made for empty tables are replaced here.
    await database.db.execute(sql`vacuum analyze`);
    for (const pour of [direct, overHttp]) await pour(WARM_UP / 4);
    await pgbench?.warmUp();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const driver = await direct(POURS);
      const before = processorTime(server.pid());
      const http = await overHttp(POURS);
      const cost = (processorTime(server.pid()) - before) / POURS;
      rounds.push({ bench: (await pgbench?.rate(PGBENCH_MS)) ?? Number.NaN, driver, http, cost });
    }
    return rounds;
  } finally {
    await pgbench?.close();
    connections.close();
    await pool.end();
  }
}

async function createClub(db: Db) {
  const now = new Date();
  if (!GRANTS) return createMembers(db, MEMBERS, now);
  const since = addMonths(localDate(now, 'UTC'), 1 - MONTHS);
  await createMembers(db, Math.max(0, Math.ceil(GRANTS / MONTHS) - MEMBERS), now, since);
  const club = await createMembers(db, MEMBERS, now, since);
  const [ledger] = await rowsOf<{ grants: number }>(
    db,
    sql`select count(*)::float8 as grants from glass_grant`,
  );
  await db.execute(sql`vacuum analyze`);
  console.log(`${ledger?.grants.toLocaleString('en')} grants in the ledger\n`);
  return club;
}

function row(clients: number, rounds: Round[]): string {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  return `| ${[
    clients,
    hasPgbench ? short(of(({ bench }) => bench)) : '',
    short(of(({ driver }) => driver)),
    short(of(({ http }) => http)),
    hasPgbench ? of(({ http, bench }) => http / bench).toFixed(2) : '',
    of(({ http, driver }) => http / driver).toFixed(2),
    of(({ cost }) => cost).toFixed(2),
  ].join(' | ')} |`;
}

try {
  const { members } = await createClub(database.db);
  const staff = await createStaff(database.db, BARTENDERS);
  await createPgbenchTables(
    database.db,
    staff.map(({ id }) => id),
  );
  console.log(`Pours per second, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log(
    '| clients at once | SQL function by pgbench | by the driver | over HTTP | share of pgbench | of the driver | server, ms of processor for each |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const clients of CLIENTS) console.log(row(clients, await measure(clients, members, staff)));
} finally {
  await database.close();
  await server.remove();
  await postgres.stop();
}
