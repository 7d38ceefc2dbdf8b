import { eq, sql } from 'drizzle-orm';
import type { TokenSession } from '../../../src/contract/auth/auth-user.ts';
import { deviceCookie } from '../../../src/server/auth/bar-devices/device-cookie.ts';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { bar_device, sessions, tier_definitions } from '../../../src/server/db/schema.ts';
import { openApiDocument } from '../../../src/server/http/docs/openapi.ts';
import { hashOfSecret } from '../../../src/server/platform/secret-link.ts';
import { appSessionOf } from '../fixtures/app-session.ts';
import { cardMember, type Member, pour } from '../fixtures/members.ts';
import { enrollFactor } from '../fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp, WEBHOOK_SECRET } from '../harness/app.ts';
import type { Caller } from '../harness/caller.ts';
import { createJudge } from '../openapi/judge.ts';

/** The callers, in the order of the table's columns. */
export const COLUMNS = [
  'visitor',
  'member',
  'other',
  'inactive',
  'non-member',
  'staff',
  'one-step',
  'member-app',
  'staff-app',
  'member-client',
  'staff-client',
  'bartender',
  'members-manager',
  'money-manager',
  'staff-manager',
  'report-reader',
  'tablet',
  'tablet-staff',
] as const;
export type Column = (typeof COLUMNS)[number];

/** Callers who must never see or change the member's data. */
export const OUTSIDERS = [
  'visitor',
  'other',
  'inactive',
  'non-member',
  'one-step',
  'tablet',
] satisfies Column[];
/** Callers who may act on the member's data. API clients and apps first, because the users could end them. */
export const INSIDERS = [
  'bartender',
  'members-manager',
  'money-manager',
  'staff-manager',
  'report-reader',
  'tablet-staff',
  'member-client',
  'staff-client',
  'staff-app',
  'member-app',
  'staff',
  'member',
] satisfies Column[];

export interface AccessRequest {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface AccessResponse {
  status: number;
  text: string;
}

export interface Cast {
  app: TestApp;
  /** The answers judged by the published document, by 'operation status code'. */
  judged: Map<string, number>;
  /** The member whose ids all requests use. */
  member: Member;
  member_email: string;
  /** The member's data, which no response to an outsider may contain. */
  secrets: string[];
  staff: Caller;
  /** Throws for an answer that the published document does not name. */
  send(who: Column, request: AccessRequest): Promise<AccessResponse>;
  /** All rows that mention the member, as text, except those of rate limits. */
  memberRows(): Promise<string[]>;
  /** Saves all sessions and API clients. Returns a function that restores those ended since. */
  saveSessions(): Promise<() => Promise<void>>;
}

/** Creates one of each caller, on an installation where staff need a second factor. */
export async function createCast(): Promise<Cast> {
  const app = await createTestApp({
    staffNeedTwoFactor: true,
    verifyEmail: 'nudge',
    web: (c) => c.html('<p>The app</p>'),
  });
  // No webhook may change the member's rows at a random moment.
  app.sandbox.setWebhook({ url: `${app.url}/nowhere`, secret: WEBHOOK_SECRET });
  const { db } = app.services;
  const staff = await app.staff();
  const { backup_codes } = await enrollFactor(staff, PASSWORD);
  const oneStep = await app.staff();
  const bartender = await app.staff();
  // The staff member who set up the tablets never signs out, because that would end them.
  const opener = await app.staff();
  await enrollFactor(bartender, PASSWORD);
  const withOnly = async (permission: string) => {
    const colleague = await app.staff();
    await enrollFactor(colleague, PASSWORD);
    await staff.must('PUT', `/api/team/${colleague.id}/permissions/${permission}`, {
      given: true,
      password: PASSWORD,
    });
    return browser(app, colleague);
  };
  // The table pours more glasses than the tier has.
  await db
    .update(tier_definitions)
    .set({ monthly_pours: 100 })
    .where(eq(tier_definitions.tier_name, 'premier'));
  const member = await cardMember(app, 'premier');
  const other = await cardMember(app);
  const inactive = await formerMember(app);
  const nonMember = await app.customer();
  await pour(staff, member.customer_id);
  await pour(staff, other.customer_id);
  const memberClient = await apiClientOf(app, member.caller);
  const staffClient = await apiClientOf(app, staff);

  const judge = createJudge(await openApiDocument(app.url));
  const headers: Record<Column, Record<string, string>> = {
    visitor: browser(app, app.visitor()),
    member: browser(app, member.caller),
    other: browser(app, other.caller),
    inactive: browser(app, inactive.caller),
    'non-member': browser(app, nonMember),
    staff: browser(app, staff),
    'one-step': browser(app, oneStep),
    'member-app': asApp(await appSessionOf(app, member.caller)),
    'staff-app': asApp(await appSessionOf(app, staff, backup_codes[0])),
    'member-client': memberClient,
    'staff-client': staffClient,
    bartender: browser(app, bartender),
    'members-manager': await withOnly('manage_members'),
    'money-manager': await withOnly('manage_money'),
    'staff-manager': await withOnly('manage_staff'),
    'report-reader': await withOnly('see_reports'),
    tablet: await tabletOf(app, opener),
    'tablet-staff': await tabletOf(app, opener, staff),
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
    tables.map((name) => `select '${name} ' || r::text as row from ${name} r`).join(' union all '),
  );

  let last: { written: string | undefined; rows: string[] } | undefined;

  return {
    app,
    judged: judge.judged,
    member,
    member_email: user.email,
    secrets: [member.caller.id, member.customer_id, user.email, user.last_name],
    staff,
    async send(who, { method, path, body, headers: more }) {
      const response = await app.send(path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers[who],
          ...more,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const { status } = response;
      const type = response.headers.get('content-type');
      // A stream of events never ends on its own.
      const isStream = type?.startsWith('text/event-stream') ?? false;
      if (isStream) await response.body?.cancel();
      const text = isStream ? '' : await response.text();
      const undocumented = judge({ method, path, status, type, text });
      if (undocumented) throw new Error(`${who}: ${undocumented}`);
      return { status, text };
    },
    async memberRows() {
      // Every write uses a number of the sequence: if it has not advanced, all rows are unchanged.
      const [next] = await rowsOf<{ number: string }>(
        db,
        sql`select pg_snapshot_xmax(pg_current_snapshot())::text as number`,
      );
      if (last && last.written === next?.number) return last.rows;
      const rows = await rowsOf<{ row: string }>(
        db,
        sql`select row from (${everything}) a
             where row like ${`%${member.caller.id}%`} or row like ${`%${member.customer_id}%`} order by row`,
      );
      last = { written: next?.number, rows: rows.map((it) => it.row) };
      return last.rows;
    },
    async saveSessions() {
      const saved = await Promise.all(
        // A refresh token needs its session.
        ['sessions', 'refresh_tokens', 'api_clients'].map(async (table) => {
          const [found] = await rowsOf<{ rows: unknown }>(
            db,
            sql.raw(`select jsonb_agg(t) as rows from ${table} t`),
          );
          return { table, rows: JSON.stringify(found?.rows) };
        }),
      );
      return async () => {
        for (const { table, rows } of saved) {
          const to = sql.identifier(table);
          await db.execute(
            sql`insert into ${to} select * from jsonb_populate_recordset(null::${to}, ${rows}::jsonb) on conflict do nothing`,
          );
        }
      };
    },
  };
}

/**
 * A shared tablet and the person working there, inserted as rows, because setting it up would end a session that the table
 * needs.
 */
async function tabletOf(app: TestApp, opener: Caller, worker?: Caller): Promise<Record<string, string>> {
  const { db, newId, newSecret } = app.services;
  const [id, token] = [newId(), newSecret()];
  await db.insert(bar_device).values({
    id,
    name: 'Bar',
    token_hash: hashOfSecret(token),
    idle_minutes: 30,
    opened_by_staff_id: opener.id,
    opened_at: app.clock.now(),
  });
  if (worker) {
    await db.insert(sessions).values({
      id: newId(),
      userId: worker.id,
      token: newSecret(),
      bar_device_id: id,
      expiresAt: sql`now() + interval '30 minutes'`,
    });
  }
  const { origin, cookie } = { origin: app.url, cookie: deviceCookie(app.url, token).split(';')[0] ?? '' };
  return { origin, cookie };
}

function browser(app: TestApp, caller: Caller): Record<string, string> {
  return caller.jar.size > 0 ? { origin: app.url, cookie: caller.cookie } : { origin: app.url };
}

/** A member who paid once, with a subscription that then ended at Stripe. */
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

const asApp = ({ access_token }: TokenSession) => ({ authorization: `Bearer ${access_token}` });

/** Creates an API client for the user. Returns its request header. */
async function apiClientOf(app: TestApp, user: Caller): Promise<Record<string, string>> {
  const apiClient = { name: 'Till', password: PASSWORD };
  return tokenOf(app, await user.must<Record<string, string>>('POST', '/api/api-clients', apiClient));
}

/** Gets an access token for an API client's id and secret. Returns its request header. */
export async function tokenOf(app: TestApp, credentials: Record<string, string>) {
  const answer = await fetch(`${app.url}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...credentials }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}
