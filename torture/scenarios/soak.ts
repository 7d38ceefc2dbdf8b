import { setTimeout as wait } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import { wrongInBooks } from '../books.ts';
import { Journal } from '../journal.ts';
import { pick, randomFrom, type TortureOptions } from '../options.ts';
import { openBar } from '../people/bartenders.ts';
import { type CardMember, cardMember } from '../people/card-members.ts';
import { NoReply, signedIn } from '../people/client.ts';
import { PASSWORD, type Seeded, STAFF, seedVenue } from '../people/venue.ts';
import { type Progress, percentile, type Report } from '../report.ts';
import { openQuery, startCluster } from '../servers/cluster.ts';
import { type ServerProcess, serverProcess, servicesOf, WEBHOOK_SECRET } from '../servers/server-process.ts';

/** How many times in a run memory is measured and latency summarized. */
const SAMPLES = 20;
/** The first part of a run fills caches and compiles hot code. */
const WARM_UP = 0.25;
const BARTENDERS = 6;
const REST_MS = 150;
const PAGES = 8;
const PAGE_REST_MS = 200;
const SEARCHES = ['ada', 'guest', 'torture', 'zz'];
/** Growth that counts as a leak: bytes an hour at this load, after the warm-up. */
const LEAK_BYTES_AN_HOUR = 40 * 1024 * 1024;
/** A run shorter than this says nothing about a slope. */
const SLOPE_AFTER_SECONDS = 600;
/** Over a run, the median of the last quarter may be this many times that of the second. */
const SLOWER = 1.5;

interface Sample {
  seconds: number;
  bytes: number;
  rss: number;
  median: number;
}

/**
 * A busy hour of a chain: pours and voids, staff searching and opening cards, members opening their pages and showing
 * their code, streams that come and go. Memory after a garbage collection and latency must not grow.
 */
export const soak = {
  defaults: { rounds: 1, seconds: 1_800, seed: 1 },
  async run({ seconds, seed }: TortureOptions, progress: Progress): Promise<Report> {
    const sandbox = await startSandbox({ port: 0 });
    const cluster = await startCluster();
    const database = await openPostgres(cluster.url);
    const seeded = await seedVenue(database.db, { thirsty: 400, modest: 100, people: 8 });
    await database.close();
    const server = await serverProcess({ ...servicesOf(sandbox), DATABASE_URL: cluster.url });
    const journal = new Journal();
    const samples: Sample[] = [];
    try {
      await server.start();
      sandbox.setWebhook({ url: `${server.url}/api/stripe/webhook`, secret: WEBHOOK_SECRET });
      const crowd = await openCrowd(server, sandbox, seeded, journal, randomFrom(seed));
      const began = performance.now();
      while (performance.now() - began < seconds * 1000) {
        await wait((seconds * 1000) / SAMPLES);
        const { bytes, rss } = await server.memory();
        const times = crowd.takeTimes();
        const sample = {
          seconds: (performance.now() - began) / 1000,
          bytes,
          rss,
          median: percentile(times, 0.5),
        };
        samples.push(sample);
        progress(
          `${times.length} calls, median ${sample.median.toFixed(1)} ms, 99 % within ${percentile(times, 0.99).toFixed(0)} ms, ` +
            `${megabytes(bytes)} in use, ${megabytes(rss)} resident`,
        );
      }
      await crowd.close();
      const { query, close } = await openQuery(cluster.url);
      const violations = await wrongInBooks(journal, query);
      await close();
      return judged(samples, seconds, journal, violations);
    } finally {
      await server.kill();
      server.remove();
      await cluster.remove();
      await sandbox.close();
    }
  },
};

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function judged(samples: Sample[], seconds: number, journal: Journal, violations: string[]): Report {
  const warm = samples.filter((it) => it.seconds > seconds * WARM_UP);
  const perHour = slope(warm.map((it) => [it.seconds, it.bytes])) * 3600;
  const quarter = Math.max(1, Math.floor(warm.length / 3));
  const early = percentile(
    warm.slice(0, quarter).map((it) => it.median),
    0.5,
  );
  const late = percentile(
    warm.slice(-quarter).map((it) => it.median),
    0.5,
  );
  if (seconds >= SLOPE_AFTER_SECONDS) {
    if (perHour > LEAK_BYTES_AN_HOUR) violations.push(`memory grows by ${megabytes(perHour)} an hour`);
    if (late > early * SLOWER)
      violations.push(`the median of a call grew from ${early.toFixed(1)} to ${late.toFixed(1)} ms`);
  }
  return {
    facts: [
      `pours: ${journal.summary()}`,
      `memory in use after a garbage collection: first ${megabytes(samples[0]?.bytes ?? 0)}, last ${megabytes(samples.at(-1)?.bytes ?? 0)}; slope after the warm-up ${megabytes(perHour)} an hour`,
      `resident: first ${megabytes(samples[0]?.rss ?? 0)}, last ${megabytes(samples.at(-1)?.rss ?? 0)}`,
      `median of a call after the warm-up ${early.toFixed(1)} ms, at the end ${late.toFixed(1)} ms`,
    ],
    violations,
  };
}

/** The slope of a straight line through the points, by least squares. */
export function slope(points: [number, number][]): number {
  const mean = (values: number[]) => values.reduce((sum, it) => sum + it, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread;
}

/** Keeps everyone busy, until closed. */
export async function openCrowd(
  server: Pick<ServerProcess, 'url'>,
  sandbox: Sandbox,
  seeded: Seeded,
  journal: Journal,
  random: () => number,
) {
  let times: number[] = [];
  let open = true;
  const staff = await signedIn(server.url, STAFF, PASSWORD, '10.0.0.1');
  const members: CardMember[] = [];
  for (const [nth, person] of seeded.people.entries())
    members.push(await cardMember(server.url, sandbox, person, nth));
  const timed = (ms: number) => void times.push(ms);
  const bar = openBar({
    staff,
    servers: [server.url],
    seeded,
    journal,
    random,
    bartenders: BARTENDERS,
    restMs: REST_MS,
    timed,
  });
  const page = async () => {
    while (open) {
      await wait(PAGE_REST_MS);
      const { client, customer_id } = pick(random, members);
      const [who, method, path, body] = pick(random, [
        [staff, 'POST', '/api/customers/search', { search: pick(random, SEARCHES) }],
        [staff, 'GET', `/api/customers/${pick(random, seeded.thirsty)}/pours`],
        [client, 'GET', '/api/customers/own'],
        [client, 'GET', '/api/pours/own'],
        [client, 'POST', '/api/functions/generate-qr-token', {}],
        [client, 'POST', '/api/functions/get-available-pours', { customer_id }],
        [client, 'GET', '/api/session'],
      ] as [typeof staff, string, string, object?][]);
      const reply = await who.call(server.url, method, path, body);
      timed(reply.ms);
      if (reply.status >= 400) journal.unexpected.push(`${method} ${path} was answered ${reply.status}`);
    }
  };
  const stream = async () => {
    while (open) {
      // Left open for a moment, as if someone were looking at the page.
      await pick(random, members)
        .client.call(server.url, 'GET', '/api/events', undefined, 500)
        .catch((error) => {
          if (!(error instanceof NoReply)) throw error;
        });
    }
  };
  const working = Promise.all([...Array.from({ length: PAGES }, page), stream(), stream()]);
  return {
    /** The times of the calls since the last query, in milliseconds. */
    takeTimes(): number[] {
      const taken = times;
      times = [];
      return taken;
    },
    async close() {
      open = false;
      await bar.close();
      await working;
    },
  };
}
