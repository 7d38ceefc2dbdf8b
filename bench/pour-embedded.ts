/** The server and this process both wait for the disk. */
import { v7 } from 'uuid';
import { openEmbedded } from '../src/server/db/client.ts';
import { recordPour } from '../src/server/pours/pours.ts';
import { dataFolder } from '../tests/support/harness/installation.ts';
import { Connections } from './parts/connections.ts';
import { barContext, createMembers } from './parts/members.ts';
import { createStaff, inTurn, pourOver, processorTime, rate, startIn } from './parts/server.ts';
import { median, short } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 1_000);
const ROUNDS = Number(process.argv[3] ?? 5);
/** Pours until the optimizer has compiled the engine's functions. */
const WARM_UP = 12_000;
const MEMBERS = 500;
/** Each may record 3,000 a minute. */
const BARTENDERS = 100;
const CLIENTS = 4;

async function newClub() {
  const folder = dataFolder();
  const database = await openEmbedded(folder.path, { waitForDisk: true });
  const { members } = await createMembers(database.db, MEMBERS, new Date());
  return { folder, database, members, staff: await createStaff(database.db, BARTENDERS) };
}

const club = await newClub();
await club.database.close();
const server = await startIn(club.folder);
const connections = new Connections(server.url);
const ownClub = await newClub();

const overHttp = (pours: number) =>
  rate(CLIENTS, pours, (turn) => pourOver(connections, inTurn(club.staff, turn), inTurn(club.members, turn)));
const inProcess = (pours: number) =>
  rate(CLIENTS, pours, (turn) =>
    recordPour(barContext(ownClub.database.db, inTurn(ownClub.staff, turn).id, new Date()), {
      request_id: v7(),
      customer_id: inTurn(ownClub.members, turn),
      quantity: 1,
      location: 'bar',
    }),
  );

try {
  await overHttp(WARM_UP);
  await inProcess(WARM_UP);
  const rounds: { http: number; process: number; ms: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = processorTime(server.pid());
    const http = await overHttp(POURS);
    const ms = (processorTime(server.pid()) - from) / POURS;
    rounds.push({ http, process: await inProcess(POURS), ms });
  }
  const middle = (key: 'http' | 'process' | 'ms') => median(rounds.map((it) => it[key]));
  const ratio = median(rounds.map(({ http, process }) => http / process));
  console.log(`Pours per second with ${CLIENTS} clients, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log(
    '| in process | over HTTP | median ratio | server, ms of processor for each |\n|---|---|---|---|',
  );
  console.log(
    `| ${short(middle('process'))} | ${short(middle('http'))} | ${ratio.toFixed(2)} | ${middle('ms').toFixed(2)} |`,
  );
} finally {
  connections.close();
  await server.remove();
  await ownClub.database.close();
  ownClub.folder.remove();
}
