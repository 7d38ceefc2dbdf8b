import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import { atHour, localDate } from '../../../src/domain/calendar.ts';
import { AUTOMATIC, COMMAND_LINE, recordAudit } from '../../../src/server/audit/record-audit.ts';
import { signOutEverywhere } from '../../../src/server/auth/revoke-access.ts';
import { addStaff, giveAllPermissions, removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { resetTwoFactor } from '../../../src/server/auth/two-factor/two-factor-reset.ts';
import { audit_entry, pour_voids, profiles } from '../../../src/server/db/schema.ts';
import { runTierCommand, type TierCommand } from '../../../src/server/http/tier-commands.ts';
import {
  addTier,
  featureTier,
  offerTier,
  orderTiers,
  updateTier,
} from '../../../src/server/membership/tier-settings.ts';
import { voidPour } from '../../../src/server/pours/pours.ts';
import { applied, cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let owner: Caller;
let bartender: Caller;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.staff();
  bartender = await app.staff();
});
afterAll(() => app.close());

const page = (query = '') =>
  owner.must<{ entries: AuditEntry[]; next_cursor: string | null }>('GET', `/api/audit?${query}`);
const latest = async () => (await page()).entries[0];
const emailOf = async ({ id }: Caller) => {
  const [row] = await app.services.db.select().from(profiles).where(eq(profiles.id, id));
  return row?.email ?? '';
};

describe('says who did what to whom, from which device', () => {
  it('approving and rejecting an application', async () => {
    const applicant = await app.customer();
    const application_id = await applied(applicant, 'premier');
    const path = `/api/applications/${application_id}/approve`;
    await bartender.raw('POST', path, {
      body: JSON.stringify({ toast_reference_number: 'T-9' }),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Safari/537.36',
      },
    });
    expect(await latest()).toMatchObject({
      act: 'application_approved',
      actor: { user_id: bartender.id },
      device: 'Chrome on Android',
      subject: { user_id: applicant.id, name: expect.stringMatching(/^Ada Guest\d+$/) },
      facts: { application_id, tier: 'premier' },
    });
    const other = await app.customer();
    const rejected = await applied(other);
    await owner.must('POST', `/api/applications/${rejected}/reject`, { notes: 'Was rude to Noor' });
    expect(await latest()).toMatchObject({
      act: 'application_rejected',
      subject: { user_id: other.id },
      facts: { application_id: rejected },
    });
  });

  it('voiding a pour that a colleague recorded, and not one’s own', async () => {
    const { caller, customer_id } = await venueMember(app, owner);
    const record = async () => {
      const { body } = await pour(owner, customer_id);
      return (body.pour as { id: string }).id;
    };
    await owner.must('POST', `/api/pours/${await record()}/void`, {});
    expect((await latest())?.act).not.toBe('pour_voided');
    const pour_id = await record();
    await bartender.must('POST', `/api/pours/${pour_id}/void`, { reason: 'Corked' });
    const entry = {
      act: 'pour_voided',
      actor: { user_id: bartender.id },
      subject: { user_id: caller.id },
      facts: { pour_id, glasses: 1, recorded_by_id: owner.id },
    };
    expect(await latest()).toMatchObject(entry);
    // A repeated void changes nothing, so it adds no entry.
    await bartender.must('POST', `/api/pours/${pour_id}/void`, { reason: 'Corked' });
    expect((await page(`whom=${caller.id}&what=pour_voided`)).entries).toHaveLength(1);
  });

  it('the commands for staff', async () => {
    const { services } = app;
    const { user_id } = await addStaff(services, 'new@venue.example', PASSWORD);
    const of = async () => (await page(`whom=${user_id}`)).entries.map(({ act }) => act);
    expect((await page(`whom=${user_id}`)).entries).toMatchObject([
      { act: 'staff_added', actor: null, device: 'Command line', facts: { account: 'made' } },
    ]);
    await giveAllPermissions(services, 'new@venue.example');
    expect(await of()).toEqual([...Array(4).fill('permission_given'), 'staff_added']);
    const caller = app.visitor();
    await caller.must('POST', '/api/auth/sign-in', { email: 'new@venue.example', password: PASSWORD });
    await enrollFactor(caller, PASSWORD);
    await resetTwoFactor(services, 'new@venue.example');
    await signOutEverywhere(services, 'new@venue.example');
    await removeStaff(services, 'new@venue.example');
    expect((await of()).slice(0, 3)).toEqual(['staff_removed', 'signed_out_everywhere', 'two_factor_reset']);
  });

  it('changes of tiers and prices', async () => {
    const { caller } = await cardMember(app, 'select');
    const ctx = { ...app.services, actor: COMMAND_LINE } as const;
    const entryAfter = async (change: Promise<unknown>) => {
      await change;
      return latest();
    };
    const run = (command: TierCommand) => entryAfter(runTierCommand(app.services, command));
    const terms = { display_name: 'Cru', description: 'x', monthly_price_cents: 9900, monthly_pours: 9 };
    expect(await entryAfter(addTier(ctx, 'cru', terms))).toMatchObject({
      act: 'tier_added',
      actor: null,
      subject: null,
      facts: { tier: 'cru', price_cents: 9900, glasses: 9 },
    });
    expect(await entryAfter(updateTier(ctx, 'cru', { monthly_price_cents: 9500 }))).toMatchObject({
      act: 'tier_changed',
      facts: { tier: 'cru', price_cents: 9500, price_cents_before: 9900 },
    });
    const before = await latest();
    expect(await entryAfter(updateTier(ctx, 'cru', { monthly_price_cents: 9500 }))).toEqual(before);
    expect(await entryAfter(offerTier(ctx, 'cru', false))).toMatchObject({ act: 'tier_retired' });
    expect(await entryAfter(offerTier(ctx, 'cru', true))).toMatchObject({ act: 'tier_offered' });
    expect(await entryAfter(featureTier(ctx, 'cru'))).toMatchObject({ act: 'tier_recommended' });
    expect(await entryAfter(orderTiers(ctx, ['cru', 'select']))).toMatchObject({
      act: 'tiers_ordered',
      facts: { tiers: 'cru, select' },
    });
    const who = { tier: 'select' };
    expect(await run({ do: 'move', who, to: 'cru' })).toMatchObject({
      act: 'price_move_announced',
      subject: { user_id: caller.id },
      facts: { from: 'select', to: 'cru', price_cents: 9500 },
    });
    expect(await run({ do: 'withdraw', who: { tier: 'cru' } })).toMatchObject({
      act: 'price_move_withdrawn',
      subject: { user_id: caller.id },
    });
  });
});

describe('what is written', () => {
  it('has no name, no email and nothing that someone typed', async () => {
    const rows = JSON.stringify(await app.services.db.select().from(audit_entry));
    for (const typed of ['Ada', 'Guest', '@', 'rude', 'Corked', 'T-9']) expect(rows).not.toContain(typed);
  });

  it('is rolled back with the act: a void that fails afterwards leaves neither', async () => {
    const { customer_id } = await venueMember(app, owner);
    const { body } = await pour(owner, customer_id);
    const { id } = body.pour as { id: string };
    const before = await app.services.db.$count(audit_entry);
    const failing = {
      ...app.services,
      newId: () => 'no id',
      actor: { user_id: bartender.id, role: 'staff' },
    };
    await expect(voidPour(failing as Parameters<typeof voidPour>[0], { id, reason: 'x' })).rejects.toThrow();
    expect(await app.services.db.$count(audit_entry)).toBe(before);
    expect(await app.services.db.$count(pour_voids, eq(pour_voids.pour_id, id))).toBe(0);
  });

  it.each(["update audit_entry set act = 'tier_added'", 'delete from audit_entry', 'truncate audit_entry'])(
    'cannot be changed: %s',
    async (statement) => {
      const before = await app.services.db.$count(audit_entry);
      await expect(app.services.db.execute(sql.raw(statement))).rejects.toThrow();
      expect(await app.services.db.$count(audit_entry)).toBe(before);
    },
  );

  it('stays when the member deletes their account, without their name', async () => {
    const applicant = await app.customer();
    const id = await applied(applicant);
    await owner.must('POST', `/api/applications/${id}/reject`, {});
    const exported = await applicant.must('GET', '/api/privacy/export');
    expect(JSON.stringify(exported)).toContain('application_rejected');
    expect(JSON.stringify(exported)).not.toContain(owner.id);
    await applicant.must('POST', '/api/privacy/delete-account', {
      password: PASSWORD,
      confirmation: 'DELETE',
    });
    expect((await page(`whom=${applicant.id}`)).entries).toMatchObject([
      { act: 'application_rejected', subject: { user_id: applicant.id, name: null } },
    ]);
  });
});

describe('reading it', () => {
  it('by actor, act, subject and the venue’s days', async () => {
    // In the evening, when UTC has the next day.
    const at = (day: string) => atHour(day, 21, VENUE_ZONE);
    const subject_id = app.services.newId();
    for (const day of ['2020-05-01', '2020-05-02', '2020-05-03']) {
      await app.services.db.transaction((tx) =>
        recordAudit(
          tx,
          { ...app.services, now: () => at(day), actor: COMMAND_LINE },
          { act: 'staff_removed', subject_id, facts: {} },
        ),
      );
    }
    const days = async (query: string) =>
      (await page(query)).entries.map((it) => localDate(new Date(it.at), VENUE_ZONE));
    expect(await days(`whom=${subject_id}`)).toEqual(['2020-05-03', '2020-05-02', '2020-05-01']);
    expect(await days('from=2020-05-02&to=2020-05-02')).toEqual(['2020-05-02']);
    expect(await days(`whom=${subject_id}&who=command_line&what=staff_removed`)).toHaveLength(3);
    expect(await days(`whom=${subject_id}&who=${owner.id}`)).toEqual([]);
    expect(await days(`whom=${subject_id}&what=staff_added`)).toEqual([]);
    await app.services.db.transaction((tx) =>
      recordAudit(
        tx,
        { ...app.services, now: () => at('2020-05-04'), actor: AUTOMATIC },
        { act: 'unused_account_deleted', subject_id, facts: {} },
      ),
    );
    expect(await days(`whom=${subject_id}&who=automatic`)).toEqual(['2020-05-04']);
    expect(await days(`whom=${subject_id}&who=command_line`)).toHaveLength(3);
    expect((await owner.call('GET', '/api/audit?to=9999-12-31')).status).toBe(400);
  });

  it('in pages of 50 without repeats or gaps, even if many entries have the same time', async () => {
    const subject_id = app.services.newId();
    await app.services.db.transaction(async (tx) => {
      const ctx = { ...app.services, now: () => new Date('2021-01-01'), actor: COMMAND_LINE } as const;
      for (let n = 0; n < 120; n++)
        await recordAudit(tx, ctx, { act: 'staff_removed', subject_id, facts: {} });
    });
    const seen: string[] = [];
    let cursor: string | null = '';
    const sizes: number[] = [];
    while (cursor !== null) {
      const { entries, next_cursor }: Awaited<ReturnType<typeof page>> = await page(
        `whom=${subject_id}${cursor && `&cursor=${cursor}`}`,
      );
      sizes.push(entries.length);
      seen.push(...entries.map(({ id }) => id));
      cursor = next_cursor;
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(new Set(seen).size).toBe(120);
    const file = await owner.raw('GET', `/api/audit/csv?whom=${subject_id}`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-[\d-]+\.csv"$/);
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(121);
    expect(lines[1]).toBe(
      `2021-01-01T00:00:00.000Z,Command line,,Command line,staff_removed,,${subject_id},`,
    );
  });

  it('takes the permission to manage staff, and losing it takes effect at once', async () => {
    expect((await bartender.call('GET', '/api/audit')).status).toBe(403);
    await giveAllPermissions(app.services, await emailOf(bartender));
    expect((await bartender.call('GET', '/api/audit')).status).toBe(200);
    await app.services.db.execute(
      sql`delete from staff_permission where user_id = ${bartender.id} and permission = 'manage_staff'`,
    );
    expect((await bartender.call('GET', '/api/audit')).status).toBe(403);
  });
});
