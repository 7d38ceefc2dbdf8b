import { eq } from 'drizzle-orm';
import type fc from 'fast-check';
import {
  customers,
  membership_applications,
  pours,
  profiles,
  sessions,
} from '../../../src/server/db/schema.ts';
import { openApiDocument } from '../../../src/server/http/docs/openapi.ts';
import { applied, cardMember, pour, RATINGS } from '../fixtures/members.ts';
import { PASSWORD, type TestApp } from '../harness/app.ts';
import type { Caller } from '../harness/caller.ts';
import { createJudge } from '../openapi/judge.ts';
import {
  type HostileRequest,
  hostileRequests,
  type Operation,
  operationsOf,
  spoiledRequests,
  validRequest,
} from './hostile-requests.ts';

/** A marker in every text stored about the target. No request sends it, and only staff may receive it. */
const MARK = 'Quetzalcoatlus';

/** Details of the server that no response may reveal. */
const INTERNALS = /node_modules|\/src\/|\.ts:\d|\bat [\w.]+ \(|drizzle|pglite|syntax error|violates|stack"/i;

export type Role = 'visitor' | 'member' | 'staff';

export interface FuzzRun {
  operations: Operation[];
  hostile: fc.Arbitrary<HostileRequest>;
  /** A valid request to every operation for each id of the target. */
  valid: HostileRequest[];
  /** Requests to every operation with text that cannot be stored. */
  spoiled(role: Role): HostileRequest[];
  /** Sends a request. Returns the problem with the response, or null. */
  send(role: Role, request: HostileRequest): Promise<string | null>;
  /** All stored data about the target. */
  targetRows(): Promise<unknown>;
  /** The number of responses by HTTP status. */
  statuses: Map<number, number>;
  /** The answers judged by the published document, by 'operation status code'. */
  judged: Map<string, number>;
}

/** Removes duplicates: an operation without an id gives the same request for every id. */
const different = (requests: HostileRequest[]): HostileRequest[] => [
  ...new Map(requests.map((it) => [JSON.stringify(it), it])).values(),
];

/** Prepares a fuzz run: a target member, and a visitor, another member and a member of staff who send the requests. */
export async function prepareFuzzRun(app: TestApp): Promise<FuzzRun> {
  const staff = await app.staff();
  const { caller: member, customer_id: memberCustomerId } = await cardMember(app);
  const target = await app.customer({
    first_name: MARK,
    last_name: MARK,
    email: `${MARK}@example.test`,
    phone: '+1 555 0100',
  });
  await target.must('PUT', '/api/applications/own', {
    preferences: { ...RATINGS },
    selected_tier: 'select',
    current_step: 2,
    is_complete: true,
  });
  const application = await applied(target);
  const { customer_id } = await staff.must<{ customer_id: string }>(
    'POST',
    `/api/applications/${application}/approve`,
    {
      toast_reference_number: MARK,
    },
  );
  const poured = await pour(staff, customer_id, { notes: MARK });
  const pourId = (poured.body as { pour?: { id: string } }).pour?.id ?? '';
  const { db } = app.services;
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, target.id));
  const ofTarget = [target.id, customer_id, application, pourId, session?.id ?? ''];
  const known = [...ofTarget, memberCustomerId, member.id, staff.id];

  const document = await openApiDocument(app.url);
  const operations = operationsOf(document as unknown as Parameters<typeof operationsOf>[0]);
  const judge = createJudge(document);
  const callers: Record<Role, Caller> = { visitor: app.visitor(), member, staff };
  const statuses = new Map<number, number>();
  let sent = 0;

  /** Roles whose last response may have ended or replaced their session. */
  const doubtful = new Set<Role>(['visitor']);

  /** Restores the role's client: a request may have signed it out, or in as a new user. Returns whether one had. */
  async function restore(role: Role): Promise<boolean> {
    const caller = callers[role];
    if (role === 'visitor') {
      caller.jar.clear();
      return false;
    }
    doubtful.delete(role);
    const { user } = await caller.must<{ user: { id: string } | null }>('GET', '/api/session');
    if (user?.id === caller.id) return false;
    const [profile] = await db.select().from(profiles).where(eq(profiles.id, caller.id));
    caller.jar.clear();
    await caller.must('POST', '/api/auth/sign-in', { email: profile?.email, password: PASSWORD });
    return true;
  }

  /** Sends the request as that role, and again if an earlier request had ended the session. */
  async function sendAs(role: Role, { method, path, body }: HostileRequest): Promise<Response> {
    const init = body === null ? {} : { body, headers: { 'content-type': 'application/json' } };
    if (doubtful.has(role)) await restore(role);
    const response = await callers[role].raw(method, path, init);
    if (response.headers.getSetCookie().length > 0) doubtful.add(role);
    if (response.status !== 401 || !(await restore(role))) return response;
    return callers[role].raw(method, path, init);
  }

  return {
    operations,
    hostile: hostileRequests(operations, known),
    valid: different(operations.flatMap((it) => ofTarget.map((id) => validRequest(it, id)))),
    spoiled(role) {
      // A visitor is refused before an id is looked up.
      const ids = ofTarget.slice(0, role === 'visitor' ? 1 : 4);
      return different(operations.flatMap((it) => ids.flatMap((id) => spoiledRequests(it, id))));
    },
    statuses,
    judged: judge.judged,
    async send(role, request) {
      sent += 1;
      // Moves the clock, or rate limits would respond instead of the operation.
      if (sent % 25 === 0) app.clock.advance({ minutes: 2 });
      const response = await sendAs(role, request);
      const { status, headers } = response;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const type = headers.get('content-type');
      const isStream = type?.startsWith('text/event-stream') ?? false;
      if (isStream) await response.body?.cancel();
      const text = isStream ? '' : await response.text();
      const { method, path } = request;
      const undocumented = judge({ method, path, status, type, text });
      if (undocumented) return undocumented;
      if (isStream) return null;
      if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
      if (INTERNALS.test(text)) return `details of the server: ${text.slice(0, 300)}`;
      if (role !== 'staff' && text.includes(MARK)) return `data of another member: ${text.slice(0, 300)}`;
      if (status >= 400 && !/"code":/.test(text))
        return `a refusal without a code: ${status} ${text.slice(0, 300)}`;
      if ('polluted' in {}) return 'a polluted prototype';
      return null;
    },
    async targetRows() {
      return {
        profile: await db.select().from(profiles).where(eq(profiles.id, target.id)),
        customer: await db.select().from(customers).where(eq(customers.user_id, target.id)),
        pours: await db.select().from(pours).where(eq(pours.customer_id, customer_id)),
        application: await db
          .select()
          .from(membership_applications)
          .where(eq(membership_applications.user_id, target.id)),
        sessions: await db.$count(sessions, eq(sessions.userId, target.id)),
      };
    },
  };
}
