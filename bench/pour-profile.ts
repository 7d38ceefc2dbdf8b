/**
 * Where a server with the embedded database spends the time of a pour over HTTP: its profile while four bartenders record,
 * by part. Compares nothing. Run `npm run build` first. Prints a markdown table:
 *
 *     npm run bench -- pour-profile [pours]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openEmbedded } from '../src/server/db/client.ts';
import { dataFolder } from '../tests/support/harness/installation.ts';
import { Connections } from './parts/connections.ts';
import { createMembers } from './parts/members.ts';
import { createStaff, inTurn, pourOver, rate, startIn } from './parts/server.ts';

const POURS = Number(process.argv[2] ?? 3_000);
/** How long until the optimizer has compiled the engine's functions. */
const WARM_UP = 12_000;
const MEMBERS = 500;
const BARTENDERS = 100;
const CLIENTS = 4;

/** The fields of a V8 CPU profile that are read here; deltas in microseconds. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** The first match counts. */
const PARTS: [string, (frame: Profile['nodes'][number]['callFrame']) => boolean][] = [
  ['nothing to do', ({ functionName }) => functionName === '(idle)'],
  ['collecting garbage', ({ functionName }) => functionName === '(garbage collector)'],
  ['waiting for the disk', ({ functionName }) => functionName === 'fsync'],
  [
    'writing to sockets',
    ({ functionName }) => /^write(Utf8String|Latin1String|Buffer|v)$/.test(functionName),
  ],
  ['the database engine, WebAssembly', ({ url }) => url.startsWith('wasm')],
  ["the engine's own JavaScript", ({ url }) => url.includes('@electric-sql/pglite')],
  ['the product with its libraries', ({ url }) => url.startsWith('file:')],
  ['Node', ({ url }) => url.startsWith('node:')],
  ["what V8 counts as no script's", () => true],
];

function sharesOf({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const partOf = new Map(
    nodes.map(({ id, callFrame }) => [id, PARTS.find(([, fits]) => fits(callFrame))?.[0] ?? '']),
  );
  const shares = new Map<string, number>();
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  for (const [i, id] of samples.entries()) {
    const part = partOf.get(id) ?? '';
    shares.set(part, (shares.get(part) ?? 0) + (timeDeltas[i] ?? 0) / total);
  }
  return shares;
}

const folder = dataFolder();
const file = join(folder.path, 'profile');
const database = await openEmbedded(folder.path);
const { members } = await createMembers(database.db, MEMBERS, new Date());
const staff = await createStaff(database.db, BARTENDERS);
await database.close();
const server = await startIn(
  { ...folder, remove: () => undefined },
  {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'parts/profiler.mjs')}`,
    PROFILE_FILE: file,
  },
);
const connections = new Connections(server.url);
const record = (pours: number) =>
  rate(CLIENTS, pours, (turn) => pourOver(connections, inTurn(staff, turn), inTurn(members, turn)));
try {
  await record(WARM_UP);
  writeFileSync(`${file}.begin`, '');
  await wait(1_000);
  await record(POURS);
} finally {
  connections.close();
  await server.stop();
}
const profile = JSON.parse(readFileSync(`${file}.${server.pid}`, 'utf8')) as Profile;
console.log('| part | share |\n|---|---|');
for (const [part, share] of [...sharesOf(profile)].sort(([, a], [, b]) => b - a)) {
  console.log(`| ${part} | ${(100 * share).toFixed(1)} % |`);
}
folder.remove();
