import { eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import type {
  AboutMember,
  MemberNote,
  MemberTag,
  TimelineEntry,
} from '../../../src/contract/staff/member-record.ts';
import { MAX_TAGS } from '../../../src/domain/staff/member-record.ts';
import {
  audit_entry,
  deliveries,
  gift_membership,
  member_note,
  member_note_version,
  memberships,
  tag,
} from '../../../src/server/db/schema.ts';
import { cardMember, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/members.md, "What staff keep about a member".

let app: TestApp;
let staff: Caller;
let member: Member;
let of: string;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  member = await venueMember(app, staff);
  of = `/api/customers/${member.customer_id}`;
});
afterAll(() => app.close());

interface Kept {
  notes: MemberNote[];
  tags: MemberTag[];
  all_tags: MemberTag[];
  about: AboutMember;
}
const kept = (at = of) => staff.must<Kept>('GET', `${at}/record`);
const labels = (tags: MemberTag[]) => tags.map(({ label }) => label);
const audited = async () => {
  const rows = await app.services.db
    .select()
    .from(audit_entry)
    .where(eq(audit_entry.subject_id, member.caller.id));
  return rows.map(({ act }) => act);
};

describe('a note', () => {
  it('says who wrote it and when, keeps earlier versions, and stays in the record once removed', async () => {
    const { id } = await staff.must<MemberNote>('POST', `${of}/notes`, { body: ' Likes the window table ' });
    app.clock.advance({ minutes: 1 });
    await staff.must('PUT', `/api/notes/${id}`, { body: 'Likes the garden' });
    const [note] = (await kept()).notes;
    expect(note).toMatchObject({
      body: 'Likes the garden',
      written_at: app.clock.now().toISOString(),
      earlier: [{ body: 'Likes the window table' }],
      removed: null,
    });
    await staff.must('DELETE', `/api/notes/${id}`);
    await staff.must('DELETE', `/api/notes/${id}`);
    expect((await kept()).notes[0]).toMatchObject({ id, removed: { at: app.clock.now().toISOString() } });
    const late = await staff.call('PUT', `/api/notes/${id}`, { body: 'More' });
    expect(late.body).toMatchObject({ code: 'NOTE_REMOVED' });
    expect(await audited()).toEqual(expect.arrayContaining(['note_added', 'note_edited', 'note_removed']));
  });

  it('is listed above the earlier ones; removed again, it keeps who removed it first', async () => {
    const { customer_id } = await venueMember(app, staff);
    const at = `/api/customers/${customer_id}`;
    const add = async (body: string) => (await staff.must<MemberNote>('POST', `${at}/notes`, { body })).id;
    const first = await add('First');
    app.clock.advance({ minutes: 1 });
    const second = await add('Second');
    expect((await kept(at)).notes.map(({ id }) => id)).toEqual([second, first]);
    const { removed } = await staff.must<MemberNote>('DELETE', `/api/notes/${first}`);
    app.clock.advance({ minutes: 1 });
    expect((await staff.must<MemberNote>('DELETE', `/api/notes/${first}`)).removed).toEqual(removed);
  });

  it('saved unchanged is not an edit', async () => {
    const { id } = await staff.must<MemberNote>('POST', `${of}/notes`, { body: 'Same' });
    expect(await staff.must('PUT', `/api/notes/${id}`, { body: 'Same' })).toMatchObject({ earlier: [] });
  });
});

describe('a tag', () => {
  it('is made by typing it, is the same in any case and spacing, and goes with the last member who has it', async () => {
    const first = await staff.must<MemberTag>('POST', `${of}/tags`, { label: ' Wine  Club ' });
    const second = await venueMember(app, staff);
    const elsewhere = `/api/customers/${second.customer_id}`;
    expect(await staff.must('POST', `${elsewhere}/tags`, { label: 'wine club' })).toEqual(first);
    expect(first.label).toBe('Wine Club');
    const listed = await staff.must<{ members: { id: string }[] }>('POST', '/api/directory', {
      tag: first.id,
    });
    expect(listed.members.map(({ id }) => id).sort()).toEqual(
      [member.customer_id, second.customer_id].sort(),
    );
    await staff.must('DELETE', `${of}/tags/${first.id}`);
    expect(labels((await kept()).all_tags)).toEqual(['Wine Club']);
    await staff.must('DELETE', `${elsewhere}/tags/${first.id}`);
    expect(await app.services.db.$count(tag)).toBe(0);
  });

  it('cannot be a member’s twenty-first', async () => {
    for (let place = 0; place < 20; place++) await staff.must('POST', `${of}/tags`, { label: `t${place}` });
    const more = await staff.call('POST', `${of}/tags`, { label: 'one more' });
    expect(more.body).toMatchObject({ code: 'TOO_MANY_TAGS' });
    expect((await kept()).tags).toHaveLength(20);
  });
});

it('the venue has no more tags than its limit; one that it has can still be given', async () => {
  const { customer_id } = await venueMember(app, staff);
  const { db } = app.services;
  const rest = MAX_TAGS - (await db.$count(tag));
  await db.insert(tag).values(
    Array.from({ length: rest }, (_, n) => {
      const label = `many ${n}`;
      return { id: app.services.newId(), label, key: label, created_at: app.clock.now() };
    }),
  );
  const add = (label: string) => staff.call('POST', `/api/customers/${customer_id}/tags`, { label });
  expect((await add('another')).body).toMatchObject({ code: 'TOO_MANY_TAGS' });
  expect((await add('many 1')).body).toMatchObject({ label: 'many 1' });
  await db.delete(tag).where(like(tag.key, 'many %'));
});

describe('allergies and birthday', () => {
  const about = (changed: object) =>
    staff.call('PUT', `${of}/about`, { allergies: null, birthday: null, ...changed });

  it('are kept, shown at the scan, and emptied again', async () => {
    await about({ allergies: 'Nuts, sulfites', birthday: { month: 2, day: 29, year: null } });
    expect((await kept()).about).toEqual({
      allergies: 'Nuts, sulfites',
      birthday: { month: 2, day: 29, year: null },
    });
    expect((await staff.must<BarCard>('GET', `${of}/bar`)).allergies).toBe('Nuts, sulfites');
    await about({});
    expect((await kept()).about).toEqual({ allergies: null, birthday: null });
    expect((await staff.must<BarCard>('GET', `${of}/bar`)).allergies).toBeNull();
  });

  it.each([
    { month: 2, day: 30, year: null },
    { month: 2, day: 29, year: 2023 },
    { month: 13, day: 1, year: null },
    { month: 4, day: 31, year: 1990 },
  ])('refuse a day that does not exist: %j', async (birthday) => {
    expect((await about({ birthday })).status).toBe(400);
  });

  it('are in the audit as changed, without their contents', async () => {
    await about({ allergies: 'Shellfish' });
    const rows = await app.services.db
      .select()
      .from(audit_entry)
      .where(eq(audit_entry.act, 'member_changed'));
    expect(rows.at(-1)?.facts).toEqual({ fields: 'allergies' });
    expect(JSON.stringify(rows)).not.toContain('Shellfish');
  });
});

describe('the timeline', () => {
  const page = (at: string, cursor?: string | null) =>
    staff.must<{ entries: TimelineEntry[]; next_cursor: string | null }>(
      'GET',
      `${at}/timeline${cursor ? `?cursor=${cursor}` : ''}`,
    );

  it('has joining, payment, pours, voids, emails and notes, each from its row and with its author', async () => {
    const payer = await cardMember(app, 'elite');
    const at = `/api/customers/${payer.customer_id}`;
    app.clock.advance({ minutes: 5 });
    const { body } = await pour(staff, payer.customer_id, { quantity: 2, notes: 'Birthday' });
    app.clock.advance({ minutes: 5 });
    await staff.must('POST', `/api/pours/${(body as { pour: { id: string } }).pour.id}/void`, {
      reason: 'Spilled',
    });
    app.clock.advance({ minutes: 5 });
    await staff.must('POST', `${at}/notes`, { body: 'Prefers magnums' });
    const { db } = app.services;
    await db
      .update(deliveries)
      .set({ outcome: 'sent', finished_at: app.clock.now() })
      .where(eq(deliveries.user_id, payer.caller.id));
    const { entries, next_cursor } = await page(at);
    expect(next_cursor).toBeNull();
    const kinds = new Set(entries.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([
      ...['emailed', 'joined', 'month_granted', 'noted', 'paid', 'poured', 'voided'],
    ]);
    expect(entries.find(({ kind }) => kind === 'poured')).toMatchObject({
      glasses: 2,
      text: 'Birthday',
      location: 'main_bar',
    });
    expect(entries.find(({ kind }) => kind === 'voided')).toMatchObject({ glasses: 2, text: 'Spilled' });
    expect(entries.find(({ kind }) => kind === 'joined')).toMatchObject({ tier: 'elite', by: null });
    expect(entries.find(({ kind }) => kind === 'paid')?.amount?.currency).toBe('usd');
    expect(
      entries.filter(({ kind }) => kind === 'poured' || kind === 'noted').every(({ by }) => by !== null),
    ).toBe(true);
  });

  it('has the gifts that the member bought, and what became of them, but not the recipients', async () => {
    const buyer = await venueMember(app, staff);
    const redeemer = await venueMember(app, staff);
    const { db, newId } = app.services;
    const [given] = await db
      .select({ id: memberships.id })
      .from(memberships)
      .where(eq(memberships.customer_id, redeemer.customer_id));
    const at = app.clock.now();
    const gift = (id: string, more: Partial<typeof gift_membership.$inferInsert>) => ({
      id,
      buyer_id: buyer.caller.id,
      tier: 'select',
      months: 3,
      monthly_price_cents: 3900,
      amount_cents: 11_700,
      currency: 'usd',
      tax_behavior: 'unspecified' as const,
      from_name: 'Ada',
      to_name: 'Benedikt',
      delivery: 'card' as const,
      stripe_payment_intent_id: `pi_${id}`,
      paid_cents: 11_700,
      created_at: at,
      expires_at: at,
      paid_at: at,
      status: 'paid' as const,
      ...more,
    });
    const [back, used, part] = [newId(), newId(), newId()];
    await db.insert(gift_membership).values([
      gift(back, {
        status: 'refunded',
        refunded_cents: 11_700,
        refunded_at: at,
        refunded_by_staff_id: staff.id,
      }),
      gift(used, { status: 'redeemed', redeemed_at: at, membership_id: given?.id }),
      gift(part, { refunded_cents: 700 }),
      {
        ...gift(newId(), { status: 'ordered' }),
        paid_at: null,
        paid_cents: null,
        stripe_payment_intent_id: null,
      },
    ]);
    const { entries } = await page(`/api/customers/${buyer.customer_id}`);
    const gifts = entries.filter(({ kind }) => kind.startsWith('gift_'));
    const said = gifts.map(({ kind, id, by, amount }) => ({
      kind,
      id,
      by: by !== null,
      cents: amount?.cents,
    }));
    expect(said).toHaveLength(5);
    expect(said).toEqual(
      expect.arrayContaining([
        { kind: 'gift_bought', id: back, by: false, cents: 11_700 },
        { kind: 'gift_refunded', id: back, by: true, cents: 11_700 },
        { kind: 'gift_bought', id: used, by: false, cents: 11_700 },
        { kind: 'gift_redeemed', id: used, by: false, cents: undefined },
        { kind: 'gift_bought', id: part, by: false, cents: 11_700 },
      ]),
    );
    // A part that Stripe refunded is a line of its own.
    expect(entries.filter(({ kind }) => kind === 'returned')).toMatchObject([
      { id: part, amount: { cents: 700 } },
    ]);
    expect(gifts.every(({ tier, text }) => tier === 'select' && text === '3 months')).toBe(true);
    expect(JSON.stringify(gifts)).not.toContain('Benedikt');
    // Redeeming a gift is not in the redeemer's own timeline.
    const theirs = await page(`/api/customers/${redeemer.customer_id}`);
    expect(theirs.entries.some(({ kind }) => kind.startsWith('gift_'))).toBe(false);
  });

  it('pages through entries of the same time without repeats or gaps', async () => {
    const busy = await venueMember(app, staff, 'household');
    const { db, newId } = app.services;
    const at = app.clock.now();
    await db
      .insert(member_note)
      .values(
        Array.from({ length: 70 }, () => ({ id: newId(), customer_id: busy.customer_id, created_at: at })),
      );
    const notes = await db.select().from(member_note).where(eq(member_note.customer_id, busy.customer_id));
    await db.insert(member_note_version).values(
      notes.map(({ id }) => ({
        note_id: id,
        version: 1,
        body: id,
        written_by_staff_id: staff.id,
        written_at: at,
      })),
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const next: Awaited<ReturnType<typeof page>> = await page(`/api/customers/${busy.customer_id}`, cursor);
      seen.push(...next.entries.filter(({ kind }) => kind === 'noted').map(({ id }) => id));
      cursor = next.next_cursor;
    } while (cursor);
    expect(seen).toEqual(
      notes
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
  });
});

test('a deleted account leaves nothing of what staff recorded, and nothing more can be recorded', async () => {
  const leaving = await venueMember(app, staff);
  const at = `/api/customers/${leaving.customer_id}`;
  await staff.must('POST', `${at}/notes`, { body: 'Talks about the harvest' });
  await staff.must('POST', `${at}/tags`, { label: 'leaving' });
  await staff.must('PUT', `${at}/about`, { allergies: 'Eggs', birthday: { month: 5, day: 4, year: 1980 } });
  const { sections } = await leaving.caller.must<{ sections: { table: string; rows: object[] }[] }>(
    'GET',
    '/api/privacy/export',
  );
  for (const table of ['member_note', 'member_note_version', 'member_tag', 'member_about']) {
    expect({ table, rows: sections.find((it) => it.table === table)?.rows.length }).toEqual({
      table,
      rows: 1,
    });
  }
  await leaving.caller.must('POST', '/api/privacy/delete-account', {
    password: PASSWORD,
    confirmation: 'DELETE',
  });
  expect(await kept(at)).toMatchObject({ notes: [], tags: [], about: { allergies: null, birthday: null } });
  const late = await staff.call('POST', `${at}/notes`, { body: 'Too late' });
  expect(late.status).toBe(404);
});

test('without the permission staff can read all of it and change nothing', async () => {
  // Staff after the first have no permission.
  const bartender = await app.staff();
  expect((await bartender.call('GET', `${of}/record`)).status).toBe(200);
  expect((await bartender.call('POST', `${of}/notes`, { body: 'No' })).status).toBe(403);
  expect((await bartender.call('PUT', `${of}/about`, { allergies: null, birthday: null })).status).toBe(403);
});
