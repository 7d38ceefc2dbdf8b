import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../../sandbox/index.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import { wrongInBooks } from '../books.ts';
import { Journal } from '../journal.ts';
import { pick, randomFrom, type TortureOptions } from '../options.ts';
import { openBar } from '../people/bartenders.ts';
import { signedIn } from '../people/client.ts';
import { PASSWORD, STAFF, seedVenue } from '../people/venue.ts';
import { type Progress, percentile, type Report } from '../report.ts';
import { openQuery, startCluster } from '../servers/cluster.ts';
import { httpProxy } from '../servers/haproxy.ts';
import { type ServerProcess, serverProcess, servicesOf } from '../servers/server-process.ts';

const SERVERS = 3;
const BARTENDERS = 8;
const REST_MS = 20;

/**
 * Three servers on an empty Postgres that start at the same moment, behind haproxy; each call goes to the next one. One
 * after another is killed under load and started again.
 */
export const machines = {
  defaults: { rounds: 9, seconds: 600, seed: 1 },
  async run({ rounds, seconds, seed }: TortureOptions, progress: Progress): Promise<Report> {
    const sandbox = await startSandbox({ port: 0 });
    const cluster = await startCluster();
    const processes: ServerProcess[] = [];
    const journal = new Journal();
    const times: number[] = [];
    let kills = 0;
    let proxy: Awaited<ReturnType<typeof httpProxy>> | null = null;
    try {
      for (let nth = 0; nth < SERVERS; nth++) {
        processes.push(await serverProcess({ ...servicesOf(sandbox), DATABASE_URL: cluster.url }));
      }
      // The database is not migrated yet: one server migrates it, the others wait.
      await Promise.all(processes.map((it) => it.start()));
      progress('three servers started at once on an empty database');
      const database = await openPostgres(cluster.url);
      const seeded = await seedVenue(database.db, { thirsty: 60, modest: 60 });
      await database.close();
      proxy = await httpProxy(processes.map(({ url }) => url));
      const url = `http://127.0.0.1:${proxy.port}`;
      await wait(1_500);
      const staff = await signedIn(url, STAFF, PASSWORD, '10.0.0.1');
      const random = randomFrom(seed);
      const bar = openBar({
        staff,
        servers: [url],
        seeded,
        journal,
        random,
        bartenders: BARTENDERS,
        restMs: REST_MS,
        timed: (ms) => times.push(ms),
      });
      const end = performance.now() + seconds * 1000;
      for (let round = 0; round < rounds && performance.now() < end; round++) {
        await wait(500 + random() * 500);
        const one = pick(random, processes);
        await one.kill();
        kills += 1;
        await wait(1_000);
        await one.start();
        progress(`kill ${kills}: ${journal.summary()}`);
      }
      await bar.close();
      const { query, close } = await openQuery(cluster.url);
      const violations = await wrongInBooks(journal, query);
      await close();
      return {
        facts: [
          `${kills} kills of one of ${SERVERS} servers; ${journal.summary()}`,
          `an answer took: median ${percentile(times, 0.5).toFixed(0)} ms, 99 % within ${percentile(times, 0.99).toFixed(0)} ms`,
        ],
        violations,
      };
    } finally {
      await proxy?.close();
      await Promise.all(processes.map((it) => it.kill()));
      for (const one of processes) one.remove();
      await cluster.remove();
      await sandbox.close();
    }
  },
};
