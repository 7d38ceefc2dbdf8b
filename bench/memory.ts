/** One request in five records a pour; the others read a bar card. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openEmbedded } from '../src/server/db/client.ts';
import { dataFolder } from '../tests/support/harness/installation.ts';
import { Connections } from './parts/connections.ts';
import { createMembers } from './parts/members.ts';
import { createStaff, inTurn, memoryOf, pourOver, rate, send, startIn } from './parts/server.ts';

const REQUESTS = Number(process.argv[2] ?? 50_000);
const STEP = 10_000;
const MEMBERS = 5_000;
const BARTENDERS = 400;
const CLIENTS = 4;
/** How long until memory is released after a start or a rush. */
const QUIET_MS = 10_000;

const tables: [start: string, env: Record<string, string>][] = [
  ['npm start', {}],
  ['the service', memorySettings()],
];
for (const [start, env] of tables) {
  console.log(
    `\n${start}${Object.entries(env)
      .map(([name, value]) => ` ${name}=${value}`)
      .join('')}\n`,
  );
  await measure(env);
}

function memorySettings(): Record<string, string> {
  const unit = readFileSync(new URL('../ops/cellar-door.service', import.meta.url), 'utf8');
  const settings = unit.matchAll(/\b(MALLOC_\w+)=(\S+)/g);
  return Object.fromEntries(Array.from(settings, ([, name, value]) => [name, value]));
}

async function measure(env: Record<string, string>): Promise<void> {
  const folder = dataFolder();
  const database = await openEmbedded(folder.path);
  const { members } = await createMembers(database.db, MEMBERS, new Date());
  const staff = await createStaff(database.db, BARTENDERS);
  await database.close();
  const server = await startIn(folder, env);
  const connections = new Connections(server.url);
  try {
    await wait(QUIET_MS);
    console.log('| requests | MiB held | of those at the start |\n|---|---|---|');
    const atStart = memoryOf(server.pid());
    console.log(`| 0 | ${atStart.toFixed(0)} | 1.00 |`);
    for (let count = 0; count < REQUESTS; count += STEP) {
      await rate(CLIENTS, Math.min(STEP, REQUESTS - count), (turn) => {
        const bartender = inTurn(staff, turn);
        const member = inTurn(members, count + turn);
        return turn % 5 === 0
          ? pourOver(connections, bartender, member)
          : send(connections, bartender, { method: 'GET', path: `/api/customers/${member}/bar` });
      });
      await wait(QUIET_MS);
      const megabytes = memoryOf(server.pid());
      console.log(`| ${count + STEP} | ${megabytes.toFixed(0)} | ${(megabytes / atStart).toFixed(2)} |`);
    }
  } finally {
    connections.close();
    await server.remove();
  }
}
