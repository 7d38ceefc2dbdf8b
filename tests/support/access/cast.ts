import { sql } from 'drizzle-orm';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { cardMember, type Member, pour } from '../fixtures/members.ts';
import { enrollFactor } from '../fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp, WEBHOOK_SECRET } from '../harness/app.ts';
import type { Caller } from '../harness/caller.ts';

/** Who asks, in the order of the table's columns. */
export const COLUMNS = [
  'visitor',
  'member',
  'other',
  'inactive',
  'guest',
  'staff',
  'one-step',
  'machine',
  'till',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Whatever these ask, nothing of the member's changes, */
export const OUTSIDERS = ['visitor', 'other', 'inactive', 'guest', 'one-step'] satisfies Column[];
/** and these may do something about her. The machines before the people who could end them. */
export const CONCERNED = ['machine', 'till', 'staff', 'member'] satisfies Column[];

export interface Ask {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answered {
  status: number;
  text: string;
}

export interface Cast {
  app: TestApp;
  /** Everything in the requests is hers. */
  member: Member;
  member_email: string;
  /** What no outsider's answer may hold. */
  secrets: string[];
  staff: Caller;
  ask(who: Column, what: Ask): Promise<Answered>;
  /** All that the database has of the member, as text; attempts are counted elsewhere. */
  memberRows(): Promise<string[]>;
  /** Puts back sessions and machines that ended since. */
  keepSessions(): Promise<() => Promise<void>>;
}

/** Each of the callers once, on an installation where staff need their second factor. */
export async function createCast(): Promise<Cast> {
  const app = await createTestApp({
    staffNeedTwoFactor: true,
    verifyEmail: 'nudge',
    web: (c) => c.html('<p>The app</p>'),
  });
  // What the payment service tells of its own accord would change the member's rows at any moment.
  app.sandbox.setWebhook({ url: `${app.url}/nowhere`, secret: WEBHOOK_SECRET });
  const { db } = app.services;
  const staff = await enrolledStaff(app);
  const oneStep = await app.staff();
  const member = await cardMember(app, 'premier');
  const other = await cardMember(app);
  const inactive = await formerMember(app);
  const guest = await app.customer();
  await pour(staff, member.customer_id);
  await pour(staff, other.customer_id);
  const machine = await machineOf(app, member.caller);
  const till = await machineOf(app, staff);

  const headers: Record<Column, Record<string, string>> = {
    visitor: browser(app, app.visitor()),
    member: browser(app, member.caller),
    other: browser(app, other.caller),
    inactive: browser(app, inactive.caller),
    guest: browser(app, guest),
    staff: browser(app, staff),
    'one-step': browser(app, oneStep),
    machine,
    till,
  };
  const { user } = await member.caller.must<{ user: { email: string; last_name: string } }>(
    'GET',
    '/api/session',
  );

  const tables = (
    await rowsOf<{ name: string }>(
      db,
      sql`select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'rate_limits'`,
    )
  ).map((it) => it.name);
  const everything = sql.raw(
    tables.map((name) => `select '${name} ' || to_jsonb(r)::text as row from ${name} r`).join(' union all '),
  );

  return {
    app,
    member,
    member_email: user.email,
    secrets: [member.caller.id, member.customer_id, user.email, user.last_name],
    staff,
    async ask(who, { method, path, body, headers: more }) {
      const response = await fetch(app.url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers[who],
          ...more,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      // A stream of events does not end by itself.
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        await response.body?.cancel();
        return { status: response.status, text: '' };
      }
      return { status: response.status, text: await response.text() };
    },
    async memberRows() {
      const rows = await rowsOf<{ row: string }>(
        db,
        sql`select row from (${everything}) a
             where row like ${`%${member.caller.id}%`} or row like ${`%${member.customer_id}%`} order by row`,
      );
      return rows.map((it) => it.row);
    },
    async keepSessions() {
      const kept = await Promise.all(
        ['sessions', 'api_clients'].map(async (table) => {
          const [found] = await rowsOf<{ rows: unknown }>(
            db,
            sql.raw(`select jsonb_agg(t) as rows from ${table} t`),
          );
          return { table, rows: JSON.stringify(found?.rows) };
        }),
      );
      return async () => {
        for (const { table, rows } of kept) {
          const to = sql.identifier(table);
          await db.execute(
            sql`insert into ${to} select * from jsonb_populate_recordset(null::${to}, ${rows}::jsonb) on conflict do nothing`,
          );
        }
      };
    },
  };
}

function browser(app: TestApp, caller: Caller): Record<string, string> {
  return caller.jar.size > 0 ? { origin: app.url, cookie: caller.cookie } : { origin: app.url };
}

async function enrolledStaff(app: TestApp): Promise<Caller> {
  const staff = await app.staff();
  await enrollFactor(staff, PASSWORD);
  return staff;
}

/** Paid once; then the payment service ended the subscription. */
async function formerMember(app: TestApp): Promise<Member> {
  const former = await cardMember(app);
  const stripe = createStripe({
    secretKey: app.sandbox.stripeSecretKey,
    apiUrl: app.sandbox.url,
    maxNetworkRetries: 0,
  });
  const [row] = await rowsOf<{ id: string }>(
    app.services.db,
    sql`select stripe_subscription_id as id from billing_subscription where user_id = ${former.caller.id}`,
  );
  await stripe.subscriptions.cancel(row?.id ?? '');
  await former.caller.must('POST', '/api/functions/verify-subscription-status', {});
  return former;
}

async function machineOf(app: TestApp, owner: Caller): Promise<Record<string, string>> {
  const machine = { name: 'Till', password: PASSWORD };
  return tokenOf(app, await owner.must<Record<string, string>>('POST', '/api/api-clients', machine));
}

/** The header that a machine with that id and secret sends. */
export async function tokenOf(app: TestApp, credentials: Record<string, string>) {
  const answer = await fetch(`${app.url}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...credentials }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}
