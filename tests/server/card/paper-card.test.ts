import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issuePaperCard } from '../../../src/server/card/paper-card.ts';
import { identifiedKeyFor } from '../../../src/server/config/purpose-key.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

interface Paper {
  token: string;
  issued_at: string;
}
interface Verified {
  valid: boolean;
  customer?: { id: string };
  paper_card_id?: string;
}
const verify = (token: string) => staff.must<Verified>('POST', '/api/functions/verify-qr-token', { token });
const issue = ({ caller }: Member) => caller.must<Paper>('POST', '/api/paper-cards', {});
const replace = ({ caller }: Member) => caller.must<Paper>('POST', '/api/paper-cards/replace', {});
const own = ({ caller }: Member) => caller.must<Paper | null>('GET', '/api/paper-cards/own');

/** Nobody counts until when the member has paid. */
const lasts = ({ customer_id }: Member) =>
  app.services.db.execute(
    sql`update memberships set paid_until = null, grace_until = null where customer_id = ${customer_id}`,
  );

describe('a code for paper', () => {
  it('is made at the first request, and stays the same', async () => {
    const member = await venueMember(app, staff);
    expect(await own(member)).toBeNull();
    const made = await issue(member);
    expect(made).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      issued_at: app.clock.now().toISOString(),
    });
    await lasts(member);
    app.clock.advance({ days: 400 });
    expect(await issue(member)).toEqual(made);
    expect(await own(member)).toEqual(made);
  });

  it('made by two requests at once is one', async () => {
    const member = await venueMember(app, staff);
    const [one, other] = await Promise.all([issue(member), issue(member)]);
    expect(one).toEqual(other);
  });

  it('does not expire, and staff learn that it was a printed one', async () => {
    const member = await venueMember(app, staff);
    const { token } = await issue(member);
    await lasts(member);
    app.clock.advance({ days: 1000 });
    const verified = await verify(` ${token}\n`);
    expect(verified).toMatchObject({ valid: true, customer: { id: member.customer_id, first_name: 'Ada' } });
    expect(verified.paper_card_id).toEqual(expect.any(String));
  });

  it('is not made without access, and is refused by name once access has ended', async () => {
    const member = await venueMember(app, staff);
    const { token } = await issue(member);
    const { db } = app.services;
    await db.execute(sql`update customers set status = 'inactive' where id = ${member.customer_id}`);
    await db.execute(sql`update memberships set status = 'ended', end_date = '2026-11-03'
      where customer_id = ${member.customer_id}`);
    expect(await verify(token)).toEqual({
      valid: false,
      refused: {
        id: member.customer_id,
        first_name: 'Ada',
        last_name: expect.any(String),
        standing: 'inactive',
        no_access_since: '2026-11-03',
        pours_return_on: null,
      },
    });
    expect(await own(member)).toBeNull();
    for (const call of ['/api/paper-cards', '/api/paper-cards/replace']) {
      expect(await member.caller.call('POST', call, {})).toMatchObject({
        body: { code: 'CUSTOMER_NOT_ACTIVE' },
      });
    }
  });

  it('is not valid when any one character is changed, even in the spare bits of the last', async () => {
    const { token } = await issue(await venueMember(app, staff));
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(token.at(-1) ?? '');
    const twin = token.slice(0, -1) + alphabet[last ^ 1];
    const changed = Array.from(token, (char, i) => {
      return token.slice(0, i) + (char === 'A' ? 'B' : 'A') + token.slice(i + 1);
    });
    for (const text of [twin, ...changed]) expect(await verify(text)).toEqual({ valid: false });
  });

  it('stays valid on paper after a change of AUTH_SECRET; the page then shows a second one', async () => {
    const member = await venueMember(app, staff);
    const { token } = await issue(member);
    const actor = { user_id: member.caller.id, role: 'customer' } as const;
    const paperKey = identifiedKeyFor('the secret that comes after the first one', 'paper-card');
    const second = await issuePaperCard({ ...app.services, actor, paperKey });
    expect(second.token).not.toBe(token);
    for (const code of [token, second.token]) expect(await verify(code)).toMatchObject({ valid: true });
    const third = await replace(member);
    for (const code of [token, second.token]) {
      expect(await verify(code)).toMatchObject({ valid: false, replaced: { id: member.customer_id } });
    }
    expect(await verify(third.token)).toMatchObject({ valid: true });
  });

  it('cannot be made by someone who reads the database', async () => {
    const member = await venueMember(app, staff);
    const { token } = await issue(member);
    const proof = Buffer.from(token, 'base64url').subarray(16);
    const rows = await rowsOf<{ row: string }>(
      app.services.db,
      sql`select to_jsonb(p)::text as row from paper_card p where customer_id = ${member.customer_id}`,
    );
    expect(rows).toHaveLength(1);
    for (const form of [
      token,
      proof.toString('hex'),
      proof.toString('base64'),
      proof.toString('base64url'),
    ]) {
      expect(rows[0]?.row).not.toContain(form);
    }
  });
});

describe('a replaced code for paper', () => {
  it('is refused by name with the day it was replaced, and the new one is valid', async () => {
    const member = await venueMember(app, staff);
    const old = await issue(member);
    app.clock.advance({ days: 3 });
    const fresh = await replace(member);
    const replaced_at = app.clock.now().toISOString();
    app.clock.advance({ days: 3 });
    expect(await verify(old.token)).toEqual({
      valid: false,
      replaced: { id: member.customer_id, first_name: 'Ada', last_name: expect.any(String), replaced_at },
    });
    expect(await verify(fresh.token)).toMatchObject({ valid: true, customer: { id: member.customer_id } });
    expect(await own(member)).toEqual(fresh);
  });

  it('reveals nothing to other members', async () => {
    const member = await venueMember(app, staff);
    const { token } = await issue(member);
    await replace(member);
    const asked = await member.caller.call('POST', '/api/functions/verify-qr-token', { token });
    expect(asked.status).toBe(403);
  });

  it('is limited to five times a day, even when clicked many times at once', async () => {
    const member = await venueMember(app, staff);
    await issue(member);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => member.caller.call('POST', '/api/paper-cards/replace', {})),
    );
    const done = answers.filter(({ status }) => status === 200).length;
    for (let more = done; more < 5; more++) await replace(member);
    expect(await member.caller.call('POST', '/api/paper-cards/replace', {})).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_ATTEMPTS' },
    });
    const [cards] = await rowsOf<{ current: number; replaced: number }>(
      app.services.db,
      sql`select count(*) filter (where replaced_at is null)::integer as current,
                 count(replaced_at)::integer as replaced
            from paper_card where customer_id = ${member.customer_id}`,
    );
    expect(cards).toEqual({ current: 1, replaced: 5 });
    app.clock.advance({ days: 1, seconds: 1 });
    await replace(member);
  });
});

describe('a pour after a printed card', () => {
  const history = (customer_id: string) =>
    staff.must<{ printed_card: boolean }[]>('GET', `/api/customers/${customer_id}/pours`);

  it('is traced to the card, and staff see that it was printed', async () => {
    const member = await venueMember(app, staff);
    const { paper_card_id } = await verify((await issue(member)).token);
    await pour(staff, member.customer_id);
    app.clock.advance({ minutes: 1 });
    await pour(staff, member.customer_id, { paper_card_id });
    expect((await history(member.customer_id)).map((it) => it.printed_card)).toEqual([true, false]);
    expect(JSON.stringify(await member.caller.must('GET', '/api/pours/own'))).not.toContain('card');
    const traced = await rowsOf(
      app.services.db,
      sql`select paper_card_id from pours where paper_card_id = ${paper_card_id}`,
    );
    expect(traced).toHaveLength(1);
  });

  it("is recorded without the trace when the card is another member's or unknown", async () => {
    const [ada, eve] = [await venueMember(app, staff), await venueMember(app, staff)];
    const { paper_card_id: evesCard } = await verify((await issue(eve)).token);
    for (const paper_card_id of [evesCard, app.services.newId()]) {
      expect(await pour(staff, ada.customer_id, { paper_card_id })).toMatchObject({ status: 201 });
    }
    expect((await history(ada.customer_id)).map((it) => it.printed_card)).toEqual([false, false]);
  });
});
