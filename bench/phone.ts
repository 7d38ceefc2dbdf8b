import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgres } from '../src/server/db/client.ts';
import { eq } from '../src/server/db/orm.ts';
import { customers } from '../src/server/db/schema.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { Connections } from './parts/connections.ts';
import { createMembers } from './parts/members.ts';
import { cookieOf, createStaff, pourOver, sessionsOf, startServer } from './parts/server.ts';
import { median, quantile, short } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 40);
const ROUNDS = 5;

const postgres = await startPostgres();
const servers = [await startServer(postgres.url), await startServer(postgres.url)];
const database = await openPostgres(postgres.url);
const agent = new Agent({ keepAlive: true });
const bartender = new Connections(servers[0]?.url ?? '');
try {
  const { members } = await createMembers(database.db, servers.length, new Date());
  const [staff] = await createStaff(database.db, 1);
  const phones = await Promise.all(
    servers.map(async ({ url }, nth) => {
      const member = members[nth] ?? '';
      const [row] = await database.db
        .select({ user: customers.user_id })
        .from(customers)
        .where(eq(customers.id, member));
      const [browser] = await sessionsOf(database.db, [row?.user ?? '']);
      const phone = { member, heard: (): void => undefined };
      await new Promise<void>((resolve, reject) => {
        const headers = { origin: url, cookie: browser ? cookieOf(browser) : '' };
        request(`${url}/api/events`, { agent, headers }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`));
          response.on('data', (chunk: Buffer) => chunk.includes('data: "pours"') && phone.heard());
          response.on('error', () => undefined);
          resolve();
        })
          .on('error', reject)
          .end();
      });
      return phone;
    }),
  );
  await wait(1_000);
  const names = ['the same process', 'another process'];
  const times: { answered: number[]; heard: number[] }[] = names.map(() => ({ answered: [], heard: [] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [nth, phone] of phones.entries()) {
      for (let pour = 0; pour < POURS; pour++) {
        const { promise: arrival, resolve } = Promise.withResolvers<void>();
        phone.heard = resolve;
        const startedAt = performance.now();
        const answer = pourOver(bartender, staff ?? { id: '', cookies: new Map() }, phone.member);
        await Promise.all([
          answer.then(() => times[nth]?.answered.push(performance.now() - startedAt)),
          arrival.then(() => times[nth]?.heard.push(performance.now() - startedAt)),
        ]);
      }
    }
  }
  console.log(`${ROUNDS} rounds of ${POURS} pours, one after the other\n`);
  console.log(
    '| the member’s page is open on | answered to the bartender, p50 ms | on the phone, p50 ms | p95 ms |\n|---|---|---|---|',
  );
  for (const [nth, name] of names.entries()) {
    const { answered = [], heard = [] } = times[nth] ?? {};
    console.log(
      `| ${name} | ${short(median(answered))} | ${short(median(heard))} | ${short(quantile(heard, 0.95))} |`,
    );
  }
} finally {
  agent.destroy();
  bartender.close();
  await database.close();
  for (const server of servers) await server.remove();
  await postgres.stop();
}
