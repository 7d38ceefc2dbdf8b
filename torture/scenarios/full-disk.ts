import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../../sandbox/index.ts';
import { brokenIndexes } from '../invariants.ts';
import { Journal, wrongInBooks } from '../journal.ts';
import { randomFrom } from '../options.ts';
import { openBar } from '../people/bartenders.ts';
import { signedIn } from '../people/client.ts';
import { PASSWORD, STAFF, seedVenueAt } from '../people/venue.ts';
import type { Report } from '../report.ts';
import { openQuery, startCluster } from '../servers/cluster.ts';
import { tortureServer } from '../servers/torture-server.ts';

const SIZE_MB = 160;
const FULL_MS = 4_000;
const BACK_WITHIN_MS = 20_000;

/** Fills the disk of Postgres while pours are recorded, and frees it again. Needs root, to mount a small disk. */
export async function fullDisk(seed: number): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'torture-disk-'));
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder]);
  if (mount.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    return { facts: ['a full disk: not tried, because this user may not mount one'], violations: [] };
  }
  const sandbox = await startSandbox({ port: 0 });
  const cluster = await startCluster(folder);
  const violations: string[] = [];
  const journal = new Journal();
  const filler = join(folder, 'filler');
  const venue = await seedVenueAt(cluster.url, { thirsty: 40, modest: 10 });
  const server = await tortureServer(sandbox, { DATABASE_URL: cluster.url });
  try {
    await server.start();
    const staff = await signedIn(server.url, STAFF, PASSWORD, '10.0.0.1');
    const random = randomFrom(seed);
    const bar = openBar({ staff, servers: [server.url], seeded: venue, journal, random, bartenders: 6 });
    await wait(1_000);
    fill(filler, folder);
    await wait(FULL_MS);
    const refusals = journal.statuses.get(503) ?? 0;
    rmSync(filler);
    const freedAt = performance.now();
    // If the full disk stopped the server from recovering, its supervisor restarts it.
    const isDown = await openQuery(cluster.url).then(
      ({ close }) => close().then(() => false),
      () => cluster.start().then(() => true),
    );
    while (journal.lastAcknowledged < freedAt) {
      if (performance.now() - freedAt > BACK_WITHIN_MS) {
        violations.push('a full disk: no pour was recorded within 20 s after there was room');
        break;
      }
      await wait(20);
    }
    const seconds = ((performance.now() - freedAt) / 1000).toFixed(1);
    await bar.close();
    const { query, close } = await openQuery(cluster.url);
    violations.push(...(await wrongInBooks(journal, query)));
    violations.push(...(await brokenIndexes(query)));
    await close();
    const restart = isDown ? ', Postgres had to be started again' : '';
    return {
      facts: [
        `a full disk: ${refusals} times asked to try again, recording ${seconds} s after there was room${restart}; ${journal.summary()}`,
      ],
      violations,
    };
  } finally {
    await server.remove();
    await cluster.stop();
    spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
    await sandbox.close();
  }
}

/** Writes until no byte is left, including bytes freed meanwhile. */
function fill(file: string, folder: string): void {
  const piece = Buffer.alloc(256 * 1024);
  for (let size = piece.length; size >= 1; size = Math.floor(size / 4)) {
    try {
      while (statfsSync(folder).bavail > 0) writeFileSync(file, piece.subarray(0, size), { flag: 'a' });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    }
  }
}
