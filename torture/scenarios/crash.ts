import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { unpackEngineFiles } from '../../scripts/engine-files.ts';
import { type OpenDatabase, openEmbedded } from '../../src/server/db/client.ts';
import { sql } from '../../src/server/db/orm.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { brokenIndexes, type Query } from '../invariants.ts';
import { Journal, wrongInBooks } from '../journal.ts';
import { randomFrom, type TortureOptions } from '../options.ts';
import { openBar } from '../people/bartenders.ts';
import { signedIn } from '../people/client.ts';
import { PASSWORD, type Seeded, STAFF, seedVenue, seedVenueAt } from '../people/venue.ts';
import { medianAndWorst, type Progress, type Report } from '../report.ts';
import { openQuery, startCluster } from '../servers/cluster.ts';
import { type TortureServer, tortureServer } from '../servers/torture-server.ts';

const BARTENDERS = 8;
/** Milliseconds between a start and the next kill, which hits a transaction at a random point. */
const SHORTEST_MS = 150;
const LONGEST_MS = 900;
/** The whole ledger is compared after this many kills, and at the end. */
const COMPARE_EVERY = 10;

export interface Target {
  name: string;
  server: Pick<TortureServer, 'url'>;
  seeded: Seeded;
  /** Kills and restarts; resolves when requests are answered. */
  strike(round: number): Promise<void>;
  /** Reads the unchanged database, without any request in flight. */
  inspect<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Continues after `inspect`. */
  resume?(): Promise<void>;
  close(): Promise<void>;
}

export const crash = {
  defaults: { rounds: 100, seconds: 900, seed: 1 },
  async run(options: TortureOptions, progress: Progress): Promise<Report> {
    const report: Report = { facts: [], violations: [] };
    const sandbox = await startSandbox({ port: 0 });
    try {
      for (const opener of [onEmbedded, onPostgres]) {
        const target = await opener(sandbox);
        try {
          const result = await strikeOften(target, options, progress);
          report.facts.push(...result.facts);
          report.violations.push(...result.violations);
        } finally {
          await target.close();
        }
      }
    } finally {
      await sandbox.close();
    }
    return report;
  },
};

export async function strikeOften(
  target: Target,
  { rounds, seconds, seed }: TortureOptions,
  progress: Progress,
): Promise<Report> {
  const random = randomFrom(seed);
  const journal = new Journal();
  const violations: string[] = [];
  const gaps: number[] = [];
  const staff = await signedIn(target.server.url, STAFF, PASSWORD, '10.0.0.1');
  const options = {
    staff,
    seeded: target.seeded,
    journal,
    random,
    bartenders: BARTENDERS,
    servers: [target.server.url],
  };
  const end = performance.now() + seconds * 1000;
  let kills = 0;
  const compare = async () => {
    violations.push(...(await target.inspect((query) => wrongInBooks(journal, query))));
    progress(`${target.name}: ${kills} kills, ${journal.summary()}, ${violations.length} violations`);
  };
  for (let round = 1; round <= rounds && performance.now() < end; round++) {
    const bar = openBar(options);
    await wait(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS));
    const startedAt = performance.now();
    await target.strike(round);
    kills += 1;
    // The bar continues: requests in flight are sent again until there is a response.
    await bar.close();
    gaps.push(performance.now() - startedAt);
    if (round % COMPARE_EVERY === 0 && round < rounds && violations.length === 0) {
      await compare();
      await target.resume?.();
    }
  }
  await compare();
  return {
    facts: [
      `${target.name}: ${kills} kills, ${journal.acknowledged().length} pours acknowledged; ${journal.summary()}`,
      `${target.name}: from a kill until every request under way was answered: ${medianAndWorst(gaps)}`,
    ],
    violations: violations.map((it) => `${target.name}: ${it}`),
  };
}

export async function onEmbedded(sandbox: Sandbox): Promise<Target> {
  const server = await tortureServer(sandbox);
  const onFolder = async <T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> => {
    const database = await openEmbedded(server.folder, { startsFrom: { unpack: unpackEngineFiles } });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const venue = await onFolder(({ db }) => seedVenue(db, { thirsty: 60, modest: 60 }));
  await server.start();
  return {
    name: 'the server on the embedded database',
    server,
    seeded: venue,
    async strike() {
      await server.kill();
      await server.start();
    },
    async inspect(work) {
      // Killed, not stopped, so that the data is what a crash leaves.
      await server.kill();
      return onFolder(({ db }) => work((statement) => rowsOf(db, sql.raw(statement))));
    },
    resume: server.start,
    async close() {
      await server.remove();
    },
  };
}

async function onPostgres(sandbox: Sandbox): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'torture-postgres-'));
  const cluster = await startCluster(folder);
  const venue = await seedVenueAt(cluster.url, { thirsty: 60, modest: 60 });
  const server = await tortureServer(sandbox, { DATABASE_URL: cluster.url });
  await server.start();
  const strikes = [
    async () => {
      await cluster.kill();
      await cluster.start();
    },
    async () => {
      await cluster.stopAtOnce();
      await cluster.start();
    },
    async () => {
      await Promise.all([cluster.kill(), server.kill()]);
      await cluster.start();
      await server.start();
    },
  ];
  return {
    name: 'the server on Postgres, and Postgres',
    server,
    seeded: venue,
    strike: async (round) => strikes[round % strikes.length]?.(),
    async inspect(work) {
      const { query, close } = await openQuery(cluster.url);
      const indexes = await brokenIndexes(query);
      if (indexes.length > 0) throw new Error(indexes.join('\n'));
      const result = await work(query);
      await close();
      return result;
    },
    async close() {
      await server.remove();
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
