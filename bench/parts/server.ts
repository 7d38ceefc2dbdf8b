import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import type { Db } from '../../src/server/db/client.ts';
import { inArray } from '../../src/server/db/orm.ts';
import { sessions, user_roles } from '../../src/server/db/schema.ts';
import { dataFolder } from '../../tests/support/harness/installation.ts';
import { type VenueServer, venueServer } from '../../tests/support/harness/venue-server.ts';
import type { Connections } from './connections.ts';
import { insertProfiles } from './members.ts';

/** Clock ticks per second in /proc, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
const SECRET = randomBytes(32).toString('base64');

/** Starts a built server (`npm run build` first) on that database; its mail server and Stripe are unreachable. */
export const startServer = (databaseUrl: string) => startIn(dataFolder(), { DATABASE_URL: databaseUrl });

export async function startIn(
  folder: ReturnType<typeof dataFolder>,
  env: Record<string, string> = {},
): Promise<VenueServer> {
  const server = await venueServer(
    {
      AUTH_SECRET: SECRET,
      STRIPE_SECRET_KEY: 'sk_test_benchmark',
      STRIPE_WEBHOOK_SECRET: 'whsec_benchmark',
      STRIPE_API_URL: 'http://127.0.0.1:9',
      ...env,
    },
    folder,
  );
  await server.start();
  return server;
}

export interface Browser {
  id: string;
  cookies: Map<string, string>;
}

/** Creates sessions with the rows and cookies of a sign-in, but without hashing passwords. */
export async function sessionsOf(db: Db, userIds: string[]): Promise<Browser[]> {
  const rows = userIds.map((id) => ({ id, token: randomBytes(24).toString('base64url') }));
  const expiresAt = new Date(Date.now() + 14 * 86_400_000);
  for (let from = 0; from < rows.length; from += 1_000) {
    await db
      .insert(sessions)
      .values(
        rows.slice(from, from + 1_000).map(({ id, token }) => ({ id: v7(), userId: id, token, expiresAt })),
      );
  }
  return rows.map(({ id, token }) => {
    const signature = createHmac('sha256', SECRET).update(token).digest('base64');
    return {
      id,
      cookies: new Map([['cellar-door.session_token', encodeURIComponent(`${token}.${signature}`)]]),
    };
  });
}

export async function createStaff(db: Db, count: number): Promise<Browser[]> {
  const ids = Array.from({ length: count }, () => v7());
  await insertProfiles(db, ids);
  await db.update(user_roles).set({ role: 'staff' }).where(inArray(user_roles.user_id, ids));
  return sessionsOf(db, ids);
}

export const cookieOf = ({ cookies }: Browser) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

function requestOf({ origin }: Connections, browser: Browser, call: Call): string {
  const body = call.body ? JSON.stringify(call.body) : '';
  return [
    `${call.method} ${call.path} HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    `origin: ${origin}`,
    `cookie: ${cookieOf(browser)}`,
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`] : []),
    '',
    body,
  ].join('\r\n');
}

/** Sends a request as a browser does and keeps its cookies. Returns the body; throws unless it succeeds. */
export async function send(to: Connections, browser: Browser, call: Call): Promise<string> {
  const response = await to.ask(requestOf(to, browser, call));
  for (const [, name = '', value = ''] of response.head.matchAll(/^set-cookie: ([^=]+)=([^;\r]*)/gim)) {
    browser.cookies.set(name, value);
  }
  const { status } = response;
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${response.body()}`);
  return response.body();
}

export const inTurn = <T>(list: T[], turn: number) => list[turn % list.length] as T;

const pourCall = (customer_id: string): Call => ({
  method: 'POST',
  path: '/api/pours',
  body: { request_id: v7(), customer_id, quantity: 1, location: 'bar' },
});

export const pourOver = (to: Connections, staff: Browser, customer_id: string) =>
  send(to, staff, pourCall(customer_id));

/**
 * Pour requests of one glass each, made before they are sent: the client shares its processors with the server and the
 * database.
 */
export const pourRequests = (to: Connections, staff: Browser[], members: string[]) =>
  members.map((member, turn) => requestOf(to, inTurn(staff, turn), pourCall(member)));

/** Sends one pour request. Throws unless the pour was recorded. */
export async function sendPour(to: Connections, request: string | undefined): Promise<void> {
  const response = await to.ask(request ?? '');
  if (response.status !== 201) throw new Error(`${response.status}: ${response.body()}`);
}

/** Turns per second of that many clients, each making one call at a time. */
export async function rate(
  clients: number,
  turns: number,
  take: (turn: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const client = async () => {
    for (let i = next++; i < turns; i = next++) await take(i);
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return turns / ((performance.now() - startedAt) / 1000);
}

/** Milliseconds of processor time that a process has used (Linux). */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** MiB of memory that a process holds (Linux). */
export function memoryOf(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 2 ** 20;
}
