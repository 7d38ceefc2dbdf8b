/**
 * The cost of members' open pages for the server, and how soon all of them get a change: 1,000 streams of server-sent
 * events, each of another member. Only Linux shows the memory and processor time of another process. Run `npm run build`
 * first. Prints markdown tables:
 *
 *     npm run bench -- streams [streams]
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { inArray, sql } from 'drizzle-orm';
import { openPostgres } from '../src/server/db/client.ts';
import { rowsOf } from '../src/server/db/results.ts';
import { customers } from '../src/server/db/schema.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { createMembers } from './parts/members.ts';
import { type Browser, cookieOf, memoryOf, processorTime, sessionsOf, startServer } from './parts/server.ts';
import { median, quantile, short } from './parts/timing.ts';

const STREAMS = Number(process.argv[2] ?? 1_000);
const ROUNDS = 7;
const QUIET_SECONDS = 20;
const AT_ONCE = 50;

/** Opens the stream of a member; `heard` is called for each event. Resolves when the server has answered. */
function open(agent: Agent, origin: string, browser: Browser, heard: () => void): Promise<IncomingMessage> {
  return new Promise((opened, failed) => {
    const sent = request(
      `${origin}/api/events`,
      { agent, headers: { origin, cookie: cookieOf(browser) } },
      (response) => {
        if (response.statusCode !== 200) return failed(new Error(`${response.statusCode}`));
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          for (const _ of chunk.matchAll(/^data: "/gm)) heard();
        });
        response.on('error', () => undefined);
        opened(response);
      },
    );
    sent.on('error', failed);
    sent.end();
  });
}

const postgres = await startPostgres();
const server = await startServer(postgres.url);
const database = await openPostgres(postgres.url);
const agent = new Agent({ keepAlive: true, maxSockets: STREAMS });
try {
  const { members } = await createMembers(database.db, STREAMS, new Date());
  const rows = await database.db
    .select({ user: customers.user_id })
    .from(customers)
    .where(inArray(customers.id, members));
  const browsers = await sessionsOf(
    database.db,
    rows.map(({ user }) => user),
  );
  await wait(2_000);
  const before = memoryOf(server.pid);
  const busyBefore = processorTime(server.pid);
  let heard: () => void = () => undefined;
  const streams: IncomingMessage[] = [];
  for (let from = 0; from < browsers.length; from += AT_ONCE) {
    const some = browsers.slice(from, from + AT_ONCE);
    streams.push(
      ...(await Promise.all(some.map((browser) => open(agent, server.url, browser, () => heard())))),
    );
  }
  const opening = (processorTime(server.pid) - busyBefore) / STREAMS;
  await wait(5_000);
  const memory = ((memoryOf(server.pid) - before) * 1024) / STREAMS;
  const quiet = processorTime(server.pid);
  await wait(QUIET_SECONDS * 1_000);
  const idle = (processorTime(server.pid) - quiet) / QUIET_SECONDS;
  console.log(`${STREAMS} streams of as many members on one process\n`);
  console.log(
    '| memory of a stream, KiB | opening one, ms of processor | all of them open and quiet, ms of processor a second |',
  );
  console.log(`|---|---|---|\n| ${short(memory)} | ${short(opening)} | ${short(idle)} |`);

  const firsts: number[] = [];
  const halves: number[] = [];
  const lasts: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const delays: number[] = [];
    const { promise: all, resolve } = Promise.withResolvers<void>();
    const began = performance.now();
    const busy = processorTime(server.pid);
    heard = () => {
      delays.push(performance.now() - began);
      if (delays.length === STREAMS) resolve();
    };
    // As the triggers announce a change of membership, for everyone in one transaction.
    await rowsOf(
      database.db,
      sql`select pg_notify('member_changed', 'membership ' || user_id) from customers where id in ${members}`,
    );
    await all;
    costs.push((processorTime(server.pid) - busy) / STREAMS);
    firsts.push(delays[0] ?? Number.NaN);
    halves.push(quantile(delays, 0.5));
    lasts.push(Math.max(...delays));
    await wait(500);
  }
  console.log(`\nA change of every member's membership in one transaction, medians of ${ROUNDS} rounds\n`);
  console.log(
    '| first page hears of it, ms | half of them, ms | the last, ms | ms of processor for each |\n|---|---|---|---|',
  );
  console.log(`| ${[firsts, halves, lasts, costs].map((own) => short(median(own))).join(' | ')} |`);
  for (const stream of streams) stream.destroy();
} finally {
  agent.destroy();
  await database.close();
  await server.stop();
  await postgres.stop();
}
