/**
 * Recording a pour over HTTP, with a staff session and as a browser sends it, compared with calling the SQL function
 * directly on the same Postgres, in turn and in one run; and the server's processor time for each. Linux alone tells
 * the latter of another process. Run `npm run build` first. Prints a markdown table:
 *
 *     npm run bench -- pour-http [pours in each round] [rounds]
 */
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Pool } from 'pg';
import { v7 } from 'uuid';
import type { Db } from '../src/server/db/client.ts';
import { openPostgres } from '../src/server/db/client.ts';
import { profiles, sessions, user_roles } from '../src/server/db/schema.ts';
import { dataFolder, startProcess } from '../tests/support/harness/installation.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { createMembers } from './members.ts';
import { median, short, took } from './timing.ts';

const POURS = Number(process.argv[2] ?? 400);
const ROUNDS = Number(process.argv[3] ?? 5);
const CLIENTS = [16, 4, 1];
const MEMBERS = 40;
/** Each may record 3,000 a minute. */
const BARTENDERS = 40;
/** Of the clock in /proc, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const SECRET = randomBytes(32).toString('base64');

/** What a browser of a bartender keeps. */
interface Bartender {
  id: string;
  cookies: Map<string, string>;
}

/** Staff who are signed in: rows and cookies as a sign-in leaves them, without the cost of a password each. */
async function signIn(db: Db): Promise<Bartender[]> {
  const staff = Array.from({ length: BARTENDERS }, () => ({
    id: v7(),
    token: randomBytes(24).toString('base64url'),
  }));
  await db.insert(profiles).values(
    staff.map(({ id }) => ({
      id,
      name: 'Staff',
      first_name: 'Staff',
      last_name: 'Member',
      email: `${id}@example.test`,
    })),
  );
  for (const { id } of staff) {
    await db
      .insert(user_roles)
      .values({ user_id: id, role: 'staff' })
      .onConflictDoUpdate({ target: user_roles.user_id, set: { role: 'staff' } });
  }
  const expiresAt = new Date(Date.now() + 14 * 86_400_000);
  await db
    .insert(sessions)
    .values(staff.map(({ id, token }) => ({ id: v7(), userId: id, token, expiresAt })));
  return staff.map(({ id, token }) => {
    const signature = createHmac('sha256', SECRET).update(token).digest('base64');
    const cookies = new Map([['cellar-door.session_token', encodeURIComponent(`${token}.${signature}`)]]);
    return { id, cookies };
  });
}

/** Sends one pour, and keeps the cookies of the response. Throws unless it was recorded. */
function send(agent: Agent, origin: string, { cookies }: Bartender, customer_id: string): Promise<void> {
  const body = JSON.stringify({ request_id: v7(), customer_id, quantity: 1, location: 'bar' });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    origin,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
  return new Promise((done, failed) => {
    const sent = request(`${origin}/api/pours`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        for (const line of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        if (response.statusCode === 200 || response.statusCode === 201) done();
        else failed(new Error(`${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

/** Pours per second of that many clients, each of which sends one after the other. */
async function rate(clients: number, pour: (turn: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const client = async () => {
    for (let i = next++; i < POURS; i = next++) await pour(i);
  };
  return POURS / ((await took(() => Promise.all(Array.from({ length: clients }, client)))) / 1000);
}

/** Milliseconds of processor time that a process has used. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

const folder = dataFolder();
const postgres = await startPostgres();
const server = await startProcess({
  DATA_DIR: folder.path,
  DATABASE_URL: postgres.url,
  AUTH_SECRET: SECRET,
  STRIPE_SECRET_KEY: 'sk_test_benchmark',
  STRIPE_WEBHOOK_SECRET: 'whsec_benchmark',
  STRIPE_API_URL: 'http://127.0.0.1:9',
  ...(process.env.NODE_OPTIONS ? { NODE_OPTIONS: process.env.NODE_OPTIONS } : {}),
});
const pid = Number(readFileSync(join(folder.path, 'server.pid'), 'utf8'));
const database = await openPostgres(postgres.url);
try {
  const { members } = await createMembers(database.db, MEMBERS, new Date());
  const staff = await signIn(database.db);
  const of = <T>(list: T[], turn: number) => list[turn % list.length] as T;
  console.log(`Pours per second, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log(
    '| clients at once | SQL function | over HTTP | median ratio | server, ms of processor for each |',
  );
  console.log('|---|---|---|---|---|');
  for (const clients of CLIENTS) {
    const pool = new Pool({ connectionString: postgres.url, max: clients });
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const direct = (turn: number) => {
      const now = new Date();
      const pour = {
        id: v7(),
        request_id: v7(),
        customer_id: of(members, turn),
        quantity: 1,
        location: 'main_bar',
      };
      const rest = { toast_reference_number: 'POUR-1', status: 'redeemed', created_at: now };
      const input = {
        pour: { ...pour, ...rest, recorded_by_staff_id: of(staff, turn).id },
        time_zone: 'UTC',
      };
      return pool.query('select record_pour($1::jsonb)', [JSON.stringify(input)]);
    };
    const overHttp = (turn: number) => send(agent, server.url, of(staff, turn), of(members, turn));
    const [sql, http, ratios, costs]: [number[], number[], number[], number[]] = [[], [], [], []];
    await rate(clients, direct);
    await rate(clients, overHttp);
    for (let round = 0; round < ROUNDS; round++) {
      const a = await rate(clients, direct);
      const before = processorTime(pid);
      const b = await rate(clients, overHttp);
      costs.push((processorTime(pid) - before) / POURS);
      sql.push(a);
      http.push(b);
      ratios.push(b / a);
    }
    const cells = [
      clients,
      short(median(sql)),
      short(median(http)),
      median(ratios).toFixed(2),
      median(costs).toFixed(2),
    ];
    console.log(`| ${cells.join(' | ')} |`);
    agent.destroy();
    await pool.end();
  }
} finally {
  await database.close();
  await server.stop();
  await postgres.stop();
  folder.remove();
}
