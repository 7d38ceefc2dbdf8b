import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ForGuest, GuestGlasses } from '../../../src/contract/sharing/guest-glasses.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { acceptShare, householdLink, shareWith } from '../../support/fixtures/household.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(async () => {
  expect(
    await brokenInvariants((text) => rowsOf(app.services.db, sql.raw(text)), app.services.venue.time_zone),
  ).toEqual([]);
  await app.close();
});

const list = ({ caller }: Member) => caller.must<GuestGlasses>('GET', '/api/guest-glasses');
const left = async ({ caller }: Member) =>
  (await caller.must<{ pours: { available_pours: number } }>('GET', '/api/customers/own')).pours
    .available_pours;
const give = async ({ caller }: Member) => {
  const { id, url } = await caller.must<{ id: string; url: string }>('POST', '/api/guest-glasses', {});
  return { id, token: url.split('#')[1] ?? '' };
};
const read = (token: string) => app.visitor().must<ForGuest>('POST', '/api/guest-glasses/read', { token });
const stated = (token: string) =>
  app.visitor().must<ForGuest>('POST', '/api/guest-glasses/state-age', { token, age: 21 });
const verify = (token: string) =>
  staff.must<{ valid: boolean; guest_glass_id?: string; customer?: { id: string } }>(
    'POST',
    '/api/functions/verify-qr-token',
    { token },
  );
/** Access ends with the last day, before the sweeper ends the membership. */
const setEnd = ({ customer_id }: Member, ends_on: string | null) =>
  app.services.db.execute(
    sql`update memberships set ends_on = ${ends_on}::date where customer_id = ${customer_id}`,
  );
const pourFor = ({ customer_id }: Member, guest_glass_id: string, more = {}) =>
  pour(staff, customer_id, { guest_glass_id, ...more });

describe('a glass for a guest', () => {
  it('is held when it is given, and poured once at the bar', async () => {
    const member = await venueMember(app, staff, 'household');
    const { id, token } = await give(member);
    expect(await left(member)).toBe(19);
    expect(await read(token)).toMatchObject({ giver_first_name: 'Ada', minimum_age: 21, code: null });
    expect((await pourFor(member, id)).body.data).toEqual({ reason: 'age_not_stated' });
    const { code } = await stated(token);
    const scanned = await verify(code ?? '');
    expect(scanned).toMatchObject({ valid: true, guest_glass_id: id, customer: { id: member.customer_id } });
    const poured = await pourFor(member, id);
    expect(poured).toMatchObject({ status: 201, body: { pours_balance: 19 } });
    expect(await left(member)).toBe(19);
    expect((await pourFor(member, id)).body.data).toEqual({ reason: 'used' });
    expect(await read(token)).toMatchObject({ obstacle: 'used', code: null });
    expect(await verify(code ?? '')).toMatchObject({ valid: false, guest_refused: { reason: 'used' } });
    const history = await staff.must('GET', `/api/customers/${member.customer_id}/pours`);
    expect(history).toMatchObject([{ guest: true, quantity: 1 }]);
  });

  it('is one glass at the scan, however many its giver has left', async () => {
    const member = await venueMember(app, staff, 'household');
    const { token } = await give(member);
    const { code } = await stated(token);
    expect(await left(member)).toBe(19);
    expect(await verify(code ?? '')).toMatchObject({ customer: { pours_balance: 1 } });
  });

  it('gets a new link while it waits, which withdraws the old one and asks for the age again', async () => {
    const member = await venueMember(app, staff, 'household');
    const { id, token } = await give(member);
    await stated(token);
    const { url } = await member.caller.must<{ url: string }>('POST', `/api/guest-glasses/${id}/link`);
    const renewed = url.split('#')[1] ?? '';
    const old = await app.visitor().call('POST', '/api/guest-glasses/read', { token });
    expect(old.body.code).toBe('LINK_INVALID');
    expect(await read(renewed)).toMatchObject({ obstacle: 'age_not_stated', code: null });
    expect(await left(member)).toBe(19);
    await stated(renewed);
    expect((await pourFor(member, id)).status).toBe(201);
    const late = await member.caller.call('POST', `/api/guest-glasses/${id}/link`);
    expect(late.body.data).toEqual({ reason: 'used' });
    const stranger = await venueMember(app, staff, 'household');
    expect((await stranger.caller.call('POST', `/api/guest-glasses/${id}/link`)).status).toBe(404);
  });

  it('is named while it is held: neither left nor used', async () => {
    const member = await venueMember(app, staff, 'household');
    await give(member);
    const { pours } = await member.caller.must<{ pours: object }>('GET', '/api/customers/own');
    expect(pours).toMatchObject({ available_pours: 19, pours_used: 0, held_pours: 1 });
  });

  it('returns to the giver when withdrawn, or after seven days', async () => {
    const member = await venueMember(app, staff, 'household');
    const first = await give(member);
    await member.caller.must('DELETE', `/api/guest-glasses/${first.id}`);
    expect(await left(member)).toBe(20);
    await stated((await give(member)).token);
    expect((await pourFor(member, first.id)).body.data).toEqual({ reason: 'withdrawn' });
    const second = (await list(member)).glasses[0];
    await app.services.db.execute(
      sql`update guest_glass set expires_at = ${app.clock.now().toISOString()} where id = ${second?.id}`,
    );
    expect(await left(member)).toBe(20);
    expect((await pourFor(member, second?.id ?? '')).body.data).toEqual({ reason: 'expired' });
    const late = await member.caller.call('POST', `/api/guest-glasses/${second?.id}/link`);
    expect(late.body).toMatchObject({ code: 'GUEST_GLASS_REFUSED', data: { reason: 'expired' } });
    expect((await list(member)).glasses.map(({ state }) => state)).toEqual(['expired', 'withdrawn']);
  });

  it('of an ended membership is worthless in the household that its giver joins', async () => {
    const giver = await venueMember(app, staff, 'select');
    const { id, token } = await give(giver);
    await stated(token);
    const ended = sql`update memberships set status = 'ended', end_date = '2026-06-15' where customer_id = ${giver.customer_id}`;
    await app.services.db.execute(ended);
    await app.services.db.execute(
      sql`update customers set status = 'inactive' where id = ${giver.customer_id}`,
    );
    await app.services.db.execute(
      sql`update profiles set email_verified = true where id = ${giver.caller.id}`,
    );
    const holder = await venueMember(app, staff, 'household');
    const joined = await acceptShare(app, giver.caller, await householdLink(holder.caller));
    expect(joined.status).toBe(200);
    expect((await pourFor(giver, id)).body.data).toEqual({ reason: 'withdrawn' });
    expect(await read(token)).toMatchObject({ obstacle: 'withdrawn', code: null });
    expect(await left(holder)).toBe(20);
  });

  it('comes from the pool: when voided it returns to the member, and the code stays used', async () => {
    const member = await venueMember(app, staff, 'household');
    const { id, token } = await give(member);
    await stated(token);
    const { body } = await pourFor(member, id);
    await staff.must('POST', `/api/pours/${(body.pour as { id: string }).id}/void`, {});
    expect(await left(member)).toBe(20);
    expect((await pourFor(member, id)).body.data).toEqual({ reason: 'used' });
  });

  it('can be the last glass, and is still poured', async () => {
    const member = await venueMember(app, staff, 'select');
    const { id, token } = await give(member);
    await stated(token);
    expect((await pour(staff, member.customer_id, { quantity: 3 })).status).toBe(201);
    expect((await pour(staff, member.customer_id)).body.code).toBe('POURS_EXCEEDED');
    expect((await pourFor(member, id)).status).toBe(201);
  });

  it('is refused while its giver has no access, by the giver’s name', async () => {
    const member = await venueMember(app, staff, 'household');
    const { token } = await give(member);
    const { code } = await stated(token);
    await setEnd(member, '2020-01-01');
    expect(await verify(code ?? '')).toMatchObject({
      valid: false,
      refused: { id: member.customer_id, first_name: 'Ada' },
    });
    await setEnd(member, null);
    expect(await verify(code ?? '')).toMatchObject({ valid: true });
  });

  it('ends with the household of the partner who gave it', async () => {
    const holder = await venueMember(app, staff, 'household');
    const partner = await shareWith(app, holder);
    const { id, token } = await give(partner);
    await stated(token);
    expect(await left(holder)).toBe(19);
    await holder.caller.must('DELETE', '/api/household');
    expect(await left(holder)).toBe(20);
    expect((await pourFor(partner, id)).body.code).toBe('CUSTOMER_NOT_ACTIVE');
    expect(await read(token)).toMatchObject({ obstacle: 'withdrawn' });
  });
});

it('where the club has no minimum age, a guest is not asked, after a new link neither', async () => {
  const club = await createTestApp({ minimumAge: 0 });
  const member = await venueMember(club, await club.staff(), 'household');
  const { id, token } = await give(member);
  const readThere = (link: string) =>
    club.visitor().must<ForGuest>('POST', '/api/guest-glasses/read', { token: link });
  expect(await readThere(token)).toMatchObject({ obstacle: null, code: `guest-${token}` });
  const { url } = await member.caller.must<{ url: string }>('POST', `/api/guest-glasses/${id}/link`);
  expect(await readThere(url.split('#')[1] ?? '')).toMatchObject({ obstacle: null });
  await club.close();
});

describe('limits', () => {
  it('are per tier and month, and shared by a household', async () => {
    const holder = await venueMember(app, staff, 'household');
    const partner = await shareWith(app, holder);
    await give(holder);
    await give(partner);
    const refused = await holder.caller.call('POST', '/api/guest-glasses', {});
    expect(refused.body).toMatchObject({ code: 'GUEST_GLASS_LIMIT', data: { limit: 2 } });
    expect(await list(holder)).toMatchObject({ limit: 2, used: 2, can_give: false });
  });

  it('allow nothing to non-members, former members, or without a glass left', async () => {
    const stranger = await app.customer();
    const former = await venueMember(app, staff, 'household');
    await setEnd(former, '2020-01-01');
    for (const caller of [stranger, former.caller])
      expect((await caller.call('POST', '/api/guest-glasses', {})).body.code).toBe('CUSTOMER_NOT_ACTIVE');
    const member = await venueMember(app, staff, 'select');
    expect(await list(member)).toMatchObject({ used: 0, can_give: true });
    await pour(staff, member.customer_id, { quantity: 4 });
    expect(await list(member)).toMatchObject({ used: 0, can_give: false });
    expect((await member.caller.call('POST', '/api/guest-glasses', {})).body.code).toBe('POURS_EXCEEDED');
  });

  it('allow twenty links a day, renewed ones and those taken back included', async () => {
    const member = await venueMember(app, staff, 'household');
    const { id } = await give(member);
    for (let links = 1; links < 20; links += 1)
      await member.caller.must('POST', `/api/guest-glasses/${id}/link`);
    expect((await member.caller.call('POST', `/api/guest-glasses/${id}/link`)).status).toBe(429);
    await member.caller.must('DELETE', `/api/guest-glasses/${id}`);
    expect((await member.caller.call('POST', '/api/guest-glasses', {})).status).toBe(429);
  });

  it('keep other members, two scans at once and made-up codes from getting a glass', async () => {
    const [member, other] = [
      await venueMember(app, staff, 'select'),
      await venueMember(app, staff, 'select'),
    ];
    const { id, token } = await give(member);
    await stated(token);
    expect((await pourFor(other, id)).body.data).toEqual({ reason: 'unknown' });
    expect((await pourFor(member, id, { quantity: 2 })).body.data).toEqual({ reason: 'unknown' });
    expect((await other.caller.call('DELETE', `/api/guest-glasses/${id}`)).status).toBe(404);
    expect(await verify(`guest-${'x'.repeat(43)}`)).toEqual({ valid: false });
    const young = await app.visitor().call('POST', '/api/guest-glasses/state-age', { token, age: 20 });
    expect(young.body.code).toBe('GUEST_GLASS_REFUSED');
  });
});
