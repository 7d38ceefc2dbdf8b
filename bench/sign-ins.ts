/**
 * Sign-ins a second over HTTP, beside the bare check of a password with as many threads as the server uses, in turns:
 * the difference is our own overhead. Run `npm run build` first. Each client has a local address of its own (Linux),
 * because sign-ins are limited per client IP. Prints a markdown table:
 *
 *     npm run bench -- sign-ins [sign-ins in each round] [rounds]
 */
import { hash, verify } from '@node-rs/argon2';
import { v7 } from 'uuid';
import { DEFAULT_COST, HASHES_AT_ONCE } from '../src/server/auth/password/hash.ts';
import { openPostgres } from '../src/server/db/client.ts';
import { accounts, profiles } from '../src/server/db/schema.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { Connections } from './parts/connections.ts';
import { inTurn, processorTime, rate, send, startServer } from './parts/server.ts';
import { median, short } from './parts/timing.ts';

const SIGN_INS = Number(process.argv[2] ?? 60);
const ROUNDS = Number(process.argv[3] ?? 5);
const CLIENTS = 8;
const PASSWORD = 'correct horse battery staple';

const stored = await hash(PASSWORD, DEFAULT_COST);
const postgres = await startPostgres();
const server = await startServer(postgres.url);
const database = await openPostgres(postgres.url);
const clients = Array.from(
  { length: 200 },
  (_, nth) => new Connections(server.url.replace('localhost', '127.0.0.1'), `127.0.1.${nth + 1}`),
);
try {
  // A user for each, so that no account reaches its limit.
  const users = Array.from({ length: (SIGN_INS + CLIENTS) * (ROUNDS + 1) }, () => v7());
  const emailOf = (id: string) => `${id}@example.test`;
  const now = new Date();
  await database.db.insert(profiles).values(
    users.map((id) => ({
      id,
      name: 'Ada',
      first_name: 'Ada',
      last_name: 'Guest',
      email: emailOf(id),
      emailVerified: true,
    })),
  );
  await database.db.insert(accounts).values(
    users.map((id) => ({
      id: v7(),
      userId: id,
      accountId: id,
      providerId: 'credential',
      password: stored,
      createdAt: now,
      updatedAt: now,
    })),
  );
  let used = 0;
  const overHttp = () => {
    const nth = used++;
    return send(
      inTurn(clients, nth),
      { id: '', cookies: new Map() },
      {
        method: 'POST',
        path: '/api/auth/sign-in',
        body: { email: emailOf(users[nth] ?? ''), password: PASSWORD },
      },
    );
  };
  const bare = () => verify(stored, PASSWORD);
  await rate(HASHES_AT_ONCE, 10, bare);
  await rate(CLIENTS, CLIENTS, overHttp);
  const [hashes, signIns, ratios, costs]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const a = await rate(HASHES_AT_ONCE, SIGN_INS, bare);
    const before = processorTime(server.pid);
    const b = await rate(CLIENTS, SIGN_INS, overHttp);
    costs.push((processorTime(server.pid) - before) / SIGN_INS);
    hashes.push(a);
    signIns.push(b);
    ratios.push(b / a);
  }
  console.log(`A second, ${HASHES_AT_ONCE} hashes at once, medians of ${ROUNDS} rounds of ${SIGN_INS}\n`);
  console.log(
    '| passwords checked | sign-ins over HTTP | median ratio | server, ms of processor for each |\n|---|---|---|---|',
  );
  console.log(
    `| ${short(median(hashes))} | ${short(median(signIns))} | ${median(ratios).toFixed(2)} | ${short(median(costs))} |`,
  );
} finally {
  for (const client of clients) client.close();
  await database.close();
  await server.stop();
  await postgres.stop();
}
