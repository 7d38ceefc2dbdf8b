import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../../sandbox/index.ts';
import { brokenIndexes } from '../invariants.ts';
import { Journal, wrongInBooks } from '../journal.ts';
import { randomFrom, type TortureOptions } from '../options.ts';
import { openBar } from '../people/bartenders.ts';
import { signedIn } from '../people/client.ts';
import { PASSWORD, STAFF, seedVenueAt } from '../people/venue.ts';
import { medianAndWorst, type Progress, type Report } from '../report.ts';
import { openQuery } from '../servers/cluster.ts';
import { until } from '../servers/daemon.ts';
import { primaryProxy } from '../servers/haproxy.ts';
import { startPatroni } from '../servers/patroni.ts';
import { type TortureServer, tortureServer } from '../servers/torture-server.ts';

const SERVERS = 2;
const BACK_WITHIN_MS = 30_000;
const BARTENDERS = 8;
const REST_MS = 50;

export const failover = {
  defaults: { rounds: 20, seconds: 1_800, seed: 1 },
  async run({ rounds, seconds, seed }: TortureOptions, progress: Progress): Promise<Report> {
    const violations: string[] = [];
    const gaps: Record<'machine' | 'Postgres', number[]> = { machine: [], Postgres: [] };
    const journal = new Journal();
    const cleanups: (() => Promise<unknown>)[] = [];
    try {
      const patroni = await startPatroni(3);
      cleanups.push(patroni.close);
      const proxy = await primaryProxy(patroni.nodes);
      cleanups.push(proxy.close);
      const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
      // Until its first two checks, the proxy takes every node for the primary.
      await wait(4_000);
      await until('the proxy leads to the primary', 20_000, () => isPrimary(url));
      const venue = await seedVenueAt(url, { thirsty: 100, modest: 50 });
      progress('three nodes, one primary');
      const sandbox = await startSandbox({ port: 0 });
      cleanups.push(sandbox.close);
      const servers: TortureServer[] = [];
      for (let nth = 0; nth < SERVERS; nth++) {
        const server = await tortureServer(sandbox, { DATABASE_URL: url });
        servers.push(server);
        cleanups.push(server.remove);
      }
      await Promise.all(servers.map((it) => it.start()));
      const urls = servers.map((it) => it.url);
      const staff = await signedIn(urls[0] ?? '', STAFF, PASSWORD, '10.0.0.1');
      const random = randomFrom(seed);
      const end = performance.now() + seconds * 1000;
      const bar = openBar({
        staff,
        servers: urls,
        seeded: venue,
        journal,
        random,
        bartenders: BARTENDERS,
        restMs: REST_MS,
      });
      for (let round = 1; round <= rounds && performance.now() < end; round++) {
        await wait(1_000 + random() * 2_000);
        const kind = round % 2 === 0 ? 'Postgres' : 'machine';
        const primary = await patroni.primary();
        const startedAt = performance.now();
        await (kind === 'machine' ? patroni.killMachine(primary) : patroni.killPostgres(primary));
        const killedAt = performance.now();
        // Responses while the primary was dying do not count as recovery.
        await wait(500);
        while (
          journal.lastAcknowledged < killedAt + 500 &&
          performance.now() < startedAt + 3 * BACK_WITHIN_MS
        )
          await wait(20);
        const ms = Math.max(journal.lastAcknowledged, performance.now() - 20) - startedAt;
        gaps[kind].push(ms);
        if (ms > BACK_WITHIN_MS)
          violations.push(`kill ${round} (${kind}): service was back after ${(ms / 1000).toFixed(1)} s only`);
        progress(`kill ${round}, ${kind} of ${primary}: back after ${(ms / 1000).toFixed(1)} s`);
        if (kind === 'machine') await patroni.revive(primary);
        await patroni.settled();
      }
      await bar.close();
      const { query, close } = await openQuery(url);
      violations.push(...(await wrongInBooks(journal, query)));
      violations.push(...(await brokenIndexes(query)));
      await close();
    } finally {
      for (const close of cleanups.reverse()) await close();
    }
    const times = [...gaps.machine, ...gaps.Postgres];
    return {
      facts: [
        `${times.length} kills of the primary, ${journal.acknowledged().length} pours acknowledged; ${journal.summary()}`,
        `from the kill to the next pour recorded: ${medianAndWorst(times)}`,
        ...Object.entries(gaps)
          .filter(([, ms]) => ms.length > 0)
          .map(([kind, ms]) => `  the ${kind}: ${medianAndWorst(ms)}`),
      ],
      violations,
    };
  },
};

async function isPrimary(url: string): Promise<boolean> {
  const { query, close } = await openQuery(url);
  try {
    const [row] = await query('select pg_is_in_recovery() as standby');
    return row?.standby === false;
  } finally {
    await close();
  }
}
