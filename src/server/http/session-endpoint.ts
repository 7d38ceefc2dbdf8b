import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { OwnMembership } from '../../contract/members.ts';
import { mustEnrollTwoFactor } from '../api/authorize.ts';
import { readBarSession } from '../auth/bar-devices/bar-session.ts';
import type { Auth } from '../auth/better-auth.ts';
import { readSession } from '../auth/sessions/session.ts';
import type { SessionResult } from '../auth/sessions/session-result.ts';
import { listPermissions } from '../auth/team/permissions.ts';
import type { Db } from '../db/client.ts';

/** `isUse`: a person did something, which extends their session on a shared tablet. */
export type ReadSession = (headers: Headers, used?: boolean) => Promise<SessionResult>;

/** Reads a request's session or, without one, the shared tablet and the person working there. */
export function sessionReader(auth: Auth, { db }: { db: Db }): ReadSession {
  return async (headers, isUse = false) => {
    const answer = await readSession(auth, headers);
    if (answer.signedIn) return answer;
    const cookie = headers.get('cookie');
    const bar = await readBarSession({ db, publicUrl: auth.publicUrl }, cookie, isUse);
    if (!bar) return answer;
    const { device, person } = bar;
    return { ...answer, tablet: device, signedIn: person && { ...person, bar_device: device } };
  };
}

type SessionFacts = Awaited<ReturnType<typeof sessionFacts>>;

interface ReadMembership {
  membership: OwnMembership;
  at: Date;
}

export type ReadOwn = (
  signedIn: NonNullable<SessionResult['signedIn']>,
  headers: Headers,
) => Promise<ReadMembership>;

/** `own`: null on pages that do not show it, or if it could not be read in time. */
export type PageFacts = SessionFacts & { own: ReadMembership | null };

interface FactsContext {
  db: Db;
  log: Logger;
  staffNeedTwoFactor: boolean;
}

async function sessionFacts(readSession: ReadSession, ctx: Omit<FactsContext, 'log'>, headers: Headers) {
  const { signedIn, cookies, tablet } = await readSession(headers);
  // A shared tablet is named even if no one is switched in.
  const device = tablet && { tablet: { name: tablet.name, idle_minutes: tablet.idle_minutes } };
  const user = signedIn && (await userFacts(ctx, signedIn));
  return { body: { user, ...device }, cookies, signedIn };
}

async function userFacts(
  { db, staffNeedTwoFactor }: Omit<FactsContext, 'log'>,
  { user, bar_device }: NonNullable<SessionResult['signedIn']>,
) {
  const must_enrol = mustEnrollTwoFactor(user, staffNeedTwoFactor);
  if (user.role !== 'staff') return { ...user, must_enrol };
  // Screens offer only permitted actions. On a tablet there are none: the office stays out of it.
  const permissions = bar_device ? [] : await listPermissions({ db }, user.id);
  return { ...user, must_enrol, permissions };
}

/** GET /api/session: the signed-in user, or null, and the shared tablet, if the browser is one. */
export function sessionEndpoint(readSession: ReadSession, ctx: Omit<FactsContext, 'log'>) {
  return async (c: Context) => {
    const { body, cookies } = await sessionFacts(readSession, ctx, c.req.raw.headers);
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
    return c.json(body);
  };
}

/** Beyond this, the page loads faster by asking for itself. */
const PAGE_WAITS_MS = 1_000;

type ShowsMembership = (body: SessionFacts['body']) => boolean;
export type ReadPageFacts = (wanted: ShowsMembership) => Promise<PageFacts | null>;

/**
 * Reads the data for a page, with the membership it shows. Null if the session cannot be read in time; then the page asks.
 * `readOwn` only reads the membership of the user named in the page.
 */
export function pageFacts(readSession: ReadSession, readOwn: ReadOwn, ctx: FactsContext) {
  return async (c: Context, needsMembership: ShowsMembership): Promise<PageFacts | null> => {
    const { promise: timeout, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, PAGE_WAITS_MS, null);
    const inTime = <T>(work: Promise<T>, part: string) => {
      const result = work.catch((err: unknown) => {
        ctx.log.warn({ err }, `a page was sent without its ${part}`);
        return null;
      });
      return Promise.race([result, timeout]);
    };
    const facts = await inTime(sessionFacts(readSession, ctx, c.req.raw.headers), 'session');
    const signedIn = facts && needsMembership(facts.body) ? facts.signedIn : null;
    const membership = signedIn && (await inTime(readOwn(signedIn, c.req.raw.headers), 'membership'));
    clearTimeout(timer);
    return facts && { ...facts, own: membership };
  };
}
