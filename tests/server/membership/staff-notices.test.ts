import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StaffNotice } from '../../../src/contract/staff-notices.ts';
import { type NewStaffNotice, postStaffNotice } from '../../../src/server/membership/staff-notices.ts';
import { venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

/** Posts a notice under a new cause. Returns the cause. */
async function post(overrides: Partial<NewStaffNotice> = {}): Promise<string> {
  const cause = `reversal_impossible:in_${app.services.newId()}`;
  const notice = {
    kind: 'reversal_impossible',
    cause,
    user_id: null,
    facts: { amount_cents: 3900, currency: 'usd', stripe_invoice_id: cause, why: 'it was paid in cash' },
    at: app.clock.now(),
    ...overrides,
  } as NewStaffNotice;
  await app.services.db.transaction((tx) => postStaffNotice(tx, notice));
  return cause;
}

const list = (by = staff) => by.must<StaffNotice[]>('GET', '/api/staff-notices');
const find = async (cause: string) =>
  (await list()).filter((it) => it.kind === 'reversal_impossible' && it.facts.stripe_invoice_id === cause);
const settle = (id: string, by = staff) =>
  by.must<StaffNotice>('POST', `/api/staff-notices/${id}/settle`, {});
const reopen = (id: string) => staff.must<StaffNotice>('POST', `/api/staff-notices/${id}/reopen`, {});

describe('a staff notice', () => {
  it('is listed with its details and the member it is about', async () => {
    const { caller } = await venueMember(app, staff);
    const cause = await post({ user_id: caller.id });
    expect(await find(cause)).toEqual([
      {
        id: expect.any(String),
        kind: 'reversal_impossible',
        facts: { amount_cents: 3900, currency: 'usd', stripe_invoice_id: cause, why: 'it was paid in cash' },
        member: expect.objectContaining({ user_id: caller.id, first_name: 'Ada', has_record: true }),
        created_at: app.clock.now().toISOString(),
        settled: null,
      },
    ]);
  });

  it('about someone who has never been a member says so', async () => {
    const { id } = await app.customer();
    const [notice] = await find(await post({ user_id: id }));
    expect(notice?.member).toMatchObject({ user_id: id, has_record: false });
  });

  it('is posted once per cause, even after it was settled', async () => {
    const cause = await post();
    await post({ cause });
    const [notice, ...others] = await find(cause);
    expect(others).toEqual([]);
    await settle(notice?.id ?? '');
    await post({ cause });
    expect((await find(cause)).map(({ settled }) => settled !== null)).toEqual([true]);
  });

  it('that sums up missed events comes first while it is open', async () => {
    await post();
    app.clock.advance({ minutes: 1 });
    const at = app.clock.now().toISOString();
    const counts = { members: 2, renewals: 1, ends: 0, refunds: 1, disputes: 0 };
    await post({ kind: 'caught_up', facts: { from: at, to: at, ...counts } });
    const [first] = await list();
    expect(first).toMatchObject({ kind: 'caught_up', facts: { members: 2 }, settled: null });
    await settle(first?.id ?? '');
    expect((await list())[0]).toMatchObject({ kind: 'reversal_impossible' });
  });

  it('is not posted when the transaction of its cause rolls back', async () => {
    const cause = 'reversal_impossible:rolled-back';
    const notice = {
      kind: 'reversal_impossible',
      cause,
      user_id: null,
      facts: { amount_cents: 1, currency: 'usd', stripe_invoice_id: cause, why: 'none' },
      at: app.clock.now(),
    } as const;
    const failing = app.services.db.transaction(async (tx) => {
      await postStaffNotice(tx, notice);
      throw new Error('something else failed');
    });
    await expect(failing).rejects.toThrow('something else failed');
    expect(await find(cause)).toEqual([]);
  });
});

describe('settling', () => {
  it('stores who and when; settling again keeps the first', async () => {
    const [notice] = await find(await post());
    const id = notice?.id ?? '';
    const at = app.clock.now().toISOString();
    const { settled } = await settle(id);
    expect(settled).toEqual({ at, by: expect.any(String) });
    app.clock.advance({ minutes: 5 });
    expect((await settle(id, await app.staff())).settled).toEqual(settled);
  });

  it('can be undone', async () => {
    const cause = await post();
    const id = (await find(cause))[0]?.id ?? '';
    await settle(id);
    expect((await reopen(id)).settled).toBeNull();
    expect((await find(cause))[0]?.settled).toBeNull();
  });

  it('keeps it in the list for 24 hours, behind the open ones', async () => {
    const cause = await post();
    const id = (await find(cause))[0]?.id ?? '';
    await settle(id);
    app.clock.advance({ minutes: 1 });
    const open = await post();
    const listed = await list();
    expect(listed.at(-1)?.settled).not.toBeNull();
    expect((await find(open)).length).toBe(1);
    app.clock.advance({ minutes: 24 * 60 - 2 });
    expect(await find(cause)).toHaveLength(1);
    app.clock.advance({ minutes: 1 });
    expect(await find(cause)).toEqual([]);
  });

  it('of an unknown notice is refused', async () => {
    const path = `/api/staff-notices/${app.services.newId()}`;
    for (const act of ['settle', 'reopen']) {
      expect(await staff.call('POST', `${path}/${act}`, {})).toMatchObject({ status: 404 });
    }
  });
});

it('a staff notice stays when the member deletes their account, without naming them', async () => {
  const { caller } = await venueMember(app, staff);
  const cause = await post({ user_id: caller.id });
  await caller.must('POST', '/api/privacy/delete-account', { password: PASSWORD, confirmation: 'DELETE' });
  expect((await find(cause))[0]).toMatchObject({ member: null, settled: null });
});
