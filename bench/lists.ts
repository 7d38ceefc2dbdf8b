import { type Db, openPostgres } from '../src/server/db/client.ts';
import { sql } from '../src/server/db/orm.ts';
import { rowsOf } from '../src/server/db/results.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { Connections } from './parts/connections.ts';
import { fillWithApplications, fillWithMembers, PATIENT } from './parts/crowd.ts';
import { type Browser, createStaff, send, startServer } from './parts/server.ts';
import { median, quantile, short, took } from './parts/timing.ts';

const [members = 1_000_000, applications = 100_000] = process.argv.slice(2).map(Number).filter(Boolean);
const argument = process.argv.find((argument) => argument.startsWith('postgres://'));
const TEXTS = 40;
const ROUNDS = 3;
/** Staff accounts; each may search 600 times a minute. */
const STAFF = 8;

async function textsOf(db: Db): Promise<Record<string, string[]>> {
  const users = await rowsOf<{ first_name: string; last_name: string; email: string }>(
    db,
    sql`select first_name, last_name, email from profiles order by random() limit ${TEXTS}`,
  );
  const of = (text: (user: (typeof users)[number], nth: number) => string) => users.map(text);
  return {
    'a first name': of((it) => it.first_name),
    'a last name': of((it) => it.last_name),
    'first name and the beginning of the last': of((it) => `${it.first_name} ${it.last_name.slice(0, 3)}`),
    'a whole email': of((it) => it.email),
    '1 letter': of((it) => it.last_name.slice(0, 1)),
    '2 letters': of((it) => it.last_name.slice(0, 2)),
    '3 letters': of((it) => it.last_name.slice(0, 3)),
    '4 letters': of((it) => it.last_name.slice(0, 4)),
    '4 letters within': of((it) => it.last_name.slice(1, 5)),
    '3 digits': of((it) => it.email.replace(/\D/g, '').slice(0, 3)),
    '4 digits': of((it) => it.email.replace(/\D/g, '').slice(0, 4)),
    nobody: of((_, nth) => `zzq${nth}`),
  };
}

const server = argument ? null : await startPostgres();
const url = argument ?? server?.url ?? '';
const database = await openPostgres(url, { limits: PATIENT });
if (!argument) {
  await fillWithMembers(database.db, members);
  await fillWithApplications(database.db, applications);
  await database.db.execute(sql`checkpoint`);
}
const web = await startServer(url);
const connections = new Connections(web.url);
try {
  const staff = await createStaff(database.db, STAFF);
  let turn = 0;
  const next = () => staff[turn++ % staff.length] as Browser;
  const get = (path: string) => send(connections, next(), { method: 'GET', path });
  const post = (path: string, body: object) => send(connections, next(), { method: 'POST', path, body });

  console.log(
    `${members.toLocaleString('en')} members, ${applications.toLocaleString('en')} pending applications, ${ROUNDS} rounds, one client\n`,
  );
  const texts = await textsOf(database.db);
  await spread(
    'Member search',
    Object.fromEntries(
      Object.entries(texts).map(([kind, words]) => [
        kind,
        words.map((search) => () => post('/api/customers/search', { search })),
      ]),
    ),
  );

  const filters = [
    'status=pending',
    'status=all',
    'status=approved',
    'status=pending&tier=elite',
    'status=all&tier=elite',
    'status=pending&tier=reserve',
  ];
  const pages = Object.fromEntries(
    filters.map((filter) => [
      `page, ${filter}`,
      Array.from({ length: TEXTS }, () => () => get(`/api/applications?${filter}`)),
    ]),
  );
  let cursor: string | null = null;
  const following = async () => {
    const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const page = JSON.parse(await get(`/api/applications?status=pending${query}`)) as {
      next_cursor: string | null;
    };
    cursor = page.next_cursor;
  };
  const kinds = ['a first name', 'a last name', '1 letter', '4 letters', '4 digits', 'nobody'];
  await spread('Applications', {
    ...pages,
    'the next page, status=pending': Array.from({ length: TEXTS }, () => following),
    'both counters': Array.from({ length: TEXTS }, () => () => get('/api/applications/count?status=pending')),
    ...Object.fromEntries(
      kinds.map((kind) => [
        `search, ${kind}`,
        (texts[kind] ?? []).map((search) => () => post('/api/applications/search', { search })),
      ]),
    ),
  });
  await spread(
    'Counters of a search, asked beside its page',
    Object.fromEntries(
      kinds.map((kind) => [
        kind,
        (texts[kind] ?? [])
          .slice(0, 10)
          .map((search) => () => post('/api/applications/search/count', { search })),
      ]),
    ),
  );

  const [productTimes, plainTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < 15; round++) {
    productTimes.push(
      await took(() => Promise.all([get('/api/applications'), get('/api/applications/count')])),
    );
    plainTimes.push(await took(() => plainPage(database.db)));
  }
  console.log('\nThe first page with its counters, beside plain SQL without HTTP\n');
  console.log('| over HTTP, ms | plain SQL, ms | plain / HTTP |\n|---|---|---|');
  console.log(
    `| ${short(median(productTimes))} | ${short(median(plainTimes))} | ${short(median(plainTimes.map((it, nth) => it / (productTimes[nth] ?? 1))))} |`,
  );
} finally {
  connections.close();
  await web.remove();
  await database.close();
  await server?.stop();
}

/** Prints the times of each kind, and of all together; the kinds take turns. */
async function spread(title: string, kinds: Record<string, (() => Promise<unknown>)[]>): Promise<void> {
  const times: Record<string, number[]> = {};
  const length = Math.max(...Object.values(kinds).map(({ length }) => length));
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < length; nth++) {
      for (const [kind, calls] of Object.entries(kinds)) {
        const call = calls[nth];
        if (!call) continue;
        times[kind] = [...(times[kind] ?? []), await took(call)];
      }
    }
  }
  console.log(`\n${title}\n\n| kind | p50, ms | p95, ms | longest, ms |\n|---|---|---|---|`);
  const line = (kind: string, values: number[]) =>
    console.log(
      `| ${kind} | ${short(median(values))} | ${short(quantile(values, 0.95))} | ${short(Math.max(...values))} |`,
    );
  for (const [kind, values] of Object.entries(times)) line(kind, values);
  line('all', Object.values(times).flat());
}

async function plainPage(db: Db): Promise<void> {
  const pendingOnes = sql`from membership_applications a join profiles p on p.id = a.user_id where a.status = 'pending'`;
  await db.execute(sql`select a.*, p.first_name, p.last_name, p.email, p.phone ${pendingOnes}
                        order by a.created_at desc nulls last, a.id desc nulls last limit 26`);
  await db.execute(sql`select count(*) ${pendingOnes}`);
  await db.execute(sql`select count(*) from membership_applications where status = 'pending'`);
}
