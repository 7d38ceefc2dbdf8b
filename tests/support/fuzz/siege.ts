import { eq } from 'drizzle-orm';
import type fc from 'fast-check';
import {
  customers,
  membership_applications,
  pours,
  profiles,
  sessions,
} from '../../../src/server/db/schema.ts';
import { applied, cardMember, pour, RATINGS } from '../fixtures/members.ts';
import { PASSWORD, type TestApp } from '../harness/app.ts';
import type { Caller } from '../harness/caller.ts';
import { type Attack, attackOn, type Operation, operationsOf, requestFor } from './hostile-requests.ts';

/** In every text that is stored about the person who is attacked; nobody sends it, nobody else may get it. */
const MARK = 'Quetzalcoatlus';

/** What no answer may hold, whoever asked: the inside of the server. */
const INSIDE = /node_modules|\/src\/|\.ts:\d|\bat [\w.]+ \(|drizzle|pglite|syntax error|violates|stack"/i;

export type Role = 'visitor' | 'member' | 'staff';

export interface Siege {
  operations: Operation[];
  attacks: fc.Arbitrary<Attack>;
  /** Every operation in perfect order, with the id of everything that there is. */
  orderly: Attack[];
  /** Sends one, and answers what is wrong with what came back; null when nothing is. */
  send(role: Role, attack: Attack): Promise<string | null>;
  /** All that is stored about the person who is attacked. */
  victim(): Promise<unknown>;
  statuses: Map<number, number>;
}

/** A venue with a member who is attacked, and a visitor, another member and a member of staff who attack. */
export async function layOut(app: TestApp): Promise<Siege> {
  const staff = await app.staff();
  const { caller: mine, customer_id: own } = await cardMember(app);
  const victim = await app.customer({
    first_name: MARK,
    last_name: MARK,
    email: `${MARK}@example.test`,
    phone: '+1 555 0100',
  });
  await victim.must('PUT', '/api/applications/own', {
    preferences: { ...RATINGS },
    selected_tier: 'select',
    current_step: 2,
    is_complete: true,
  });
  const application = await applied(victim);
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
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, victim.id));
  const known = [victim.id, customer_id, application, pourId, session?.id ?? '', own, mine.id, staff.id];

  const document = await app.visitor().must<Parameters<typeof operationsOf>[0]>('GET', '/api/openapi.json');
  const operations = operationsOf(document);
  const callers: Record<Role, Caller> = { visitor: app.visitor(), member: mine, staff };
  const statuses = new Map<number, number>();
  let sent = 0;

  async function come(role: Role): Promise<Caller> {
    const caller = callers[role];
    // Attacks sign people out, and let in whom they make up: every role comes back as who it is.
    if (role === 'visitor') caller.jar.clear();
    else if (
      (await caller.must<{ user: { id: string } | null }>('GET', '/api/session')).user?.id !== caller.id
    ) {
      const [profile] = await db.select().from(profiles).where(eq(profiles.id, caller.id));
      caller.jar.clear();
      await caller.must('POST', '/api/auth/sign-in', { email: profile?.email, password: PASSWORD });
    }
    return caller;
  }

  return {
    operations,
    attacks: attackOn(operations, known),
    orderly: operations.flatMap((it) => known.map((id) => requestFor(it, id))),
    statuses,
    async send(role, { method, path, body }) {
      sent += 1;
      // Time passes, so that limits of attempts do not answer in place of what is attacked.
      if (sent % 25 === 0) app.clock.advance({ minutes: 2 });
      const caller = await come(role);
      const init = body === null ? {} : { body, headers: { 'content-type': 'application/json' } };
      const response = await caller.raw(method, path, init);
      const { status, headers } = response;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (headers.get('content-type')?.startsWith('text/event-stream')) {
        await response.body?.cancel();
        return null;
      }
      const said = await response.text();
      if (status >= 500) return `${status}: ${said.slice(0, 300)}`;
      if (INSIDE.test(said)) return `the inside of the server: ${said.slice(0, 300)}`;
      if (role !== 'staff' && said.includes(MARK)) return `another member: ${said.slice(0, 300)}`;
      if (status >= 400 && !/"code":/.test(said))
        return `a refusal without a code: ${status} ${said.slice(0, 300)}`;
      if ('polluted' in {}) return 'a polluted prototype';
      return null;
    },
    async victim() {
      return {
        profile: await db.select().from(profiles).where(eq(profiles.id, victim.id)),
        customer: await db.select().from(customers).where(eq(customers.user_id, victim.id)),
        pours: await db.select().from(pours).where(eq(pours.customer_id, customer_id)),
        application: await db
          .select()
          .from(membership_applications)
          .where(eq(membership_applications.user_id, victim.id)),
        sessions: await db.$count(sessions, eq(sessions.userId, victim.id)),
      };
    },
  };
}
