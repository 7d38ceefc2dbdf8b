/**
 * Pours a second over HTTP with one, two and three server processes on one Postgres, in turns; the clients spread over
 * the processes. Run `npm run build` first. Prints a markdown table:
 *
 *     npm run bench -- processes [pours in each round] [rounds]
 */
import { openPostgres } from '../src/server/db/client.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { Connections } from './parts/connections.ts';
import { createMembers } from './parts/members.ts';
import {
  type BenchServer,
  createStaff,
  inTurn,
  pourOver,
  processorTime,
  rate,
  startServer,
} from './parts/server.ts';
import { median, short } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 400);
const ROUNDS = Number(process.argv[3] ?? 5);
const CLIENTS = 16;
const MEMBERS = 2_000;
const BARTENDERS = 40;

const postgres = await startPostgres();
const servers: BenchServer[] = [];
const database = await openPostgres(postgres.url);
const connections: Connections[] = [];
try {
  for (let nth = 0; nth < 3; nth++) {
    const server = await startServer(postgres.url);
    servers.push(server);
    connections.push(new Connections(server.url));
  }
  const { members } = await createMembers(database.db, MEMBERS, new Date());
  const staff = await createStaff(database.db, BARTENDERS);
  const through = (count: number) =>
    rate(CLIENTS, POURS, (turn) =>
      pourOver(inTurn(connections.slice(0, count), turn), inTurn(staff, turn), inTurn(members, turn)),
    );
  const counts = servers.map((_, nth) => nth + 1);
  const rates = new Map(counts.map((count) => [count, [] as number[]]));
  const costs = new Map(counts.map((count) => [count, [] as number[]]));
  const busy = () => servers.reduce((sum, { pid }) => sum + processorTime(pid), 0);
  await through(3);
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of counts) {
      const before = busy();
      rates.get(count)?.push(await through(count));
      costs.get(count)?.push((busy() - before) / POURS);
    }
  }
  console.log(`Pours a second from ${CLIENTS} clients, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log(
    '| server processes | pours a second | median ratio to one | servers, ms of processor for each |\n|---|---|---|---|',
  );
  for (const count of counts) {
    const own = rates.get(count) ?? [];
    const ratios = own.map((value, round) => value / (rates.get(1)?.[round] ?? 1));
    console.log(
      `| ${count} | ${short(median(own))} | ${median(ratios).toFixed(2)} | ${median(costs.get(count) ?? []).toFixed(2)} |`,
    );
  }
} finally {
  for (const it of connections) it.close();
  await database.close();
  for (const server of servers) await server.stop();
  await postgres.stop();
}
