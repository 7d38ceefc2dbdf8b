import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import type { MemberImport } from '../../../src/contract/staff/imports.ts';
import { addDays, localDate } from '../../../src/domain/calendar.ts';
import { MAX_TAGS, tagKey } from '../../../src/domain/staff/member-record.ts';
import {
  accounts,
  audit_entry,
  consent,
  deliveries,
  glass_change,
  glass_grant,
  member_import,
  member_import_row,
  memberships,
  profiles,
  tag,
  verifications,
} from '../../../src/server/db/schema.ts';
import { emailBatch } from '../../../src/server/imports/email-batch.ts';
import { importStep } from '../../../src/server/imports/import-steps.ts';
import { deleteOldImports } from '../../../src/server/imports/member-imports.ts';
import { mailTo } from '../../support/fixtures/emails.ts';
import {
  importFile,
  importOf,
  rowsOfImport,
  settleImports,
  undoImport,
  uploadFile,
} from '../../support/fixtures/imports.ts';
import { pour } from '../../support/fixtures/members.ts';
import { wholeDatabase } from '../../support/fixtures/whole-member.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/imports.md, "Moving in and out".

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());
/** Leaves no import open for the next test. */
afterEach(async () => {
  await settleImports(app);
  await app.services.db.delete(member_import);
});

const HEAD =
  'Email,First name,Last name,Phone,Birthday,Tier,Member since,Payment reference,Glasses left,Tags,Allergies,Notes';
let people = 0;
const newEmail = () => `import${++people}@example.test`;
const venueRow = (email: string, more: { left?: string; tags?: string; notes?: string } = {}) =>
  `${email},Ana,Ruiz,+1 555 0100,7.4.1980,Premier,2019-03-31,T-77,${more.left ?? ''},${more.tags ?? ''},Nuts,${more.notes ?? ''}`;

async function userOf(email: string) {
  const [user] = await app.services.db.select().from(profiles).where(eq(profiles.email, email));
  return user;
}
async function memberOf(email: string) {
  const user = await userOf(email);
  return staff.must<MemberDetail>('GET', `/api/customers/${user?.id}`);
}

describe('a file is checked before anything is imported', () => {
  it('row by row, with messages, without writing a member', async () => {
    const taken = await app.customer();
    const { user } = await taken.must<{ user: { email: string } }>('GET', '/api/session');
    const once = newEmail();
    const before = await app.services.db.$count(profiles);
    const { id } = await uploadFile(
      staff,
      [
        HEAD,
        venueRow(once),
        venueRow(once.toUpperCase()),
        venueRow(user.email),
        venueRow('nobody'),
        `${newEmail()},Bo,Chen,,,Gold,,,,,,`,
      ].join('\n'),
    );
    await settleImports(app);
    expect((await rowsOfImport(staff, id)).map(({ problems }) => problems)).toEqual([
      [],
      ['email_twice'],
      ['has_account'],
      ['email_wrong'],
      ['tier_unknown'],
    ]);
    expect((await rowsOfImport(staff, id, 'problems')).map(({ row_no }) => row_no)).toEqual([2, 3, 4, 5]);
    expect(await importOf(staff, id)).toMatchObject({
      status: 'checked',
      total_rows: 5,
      ready_rows: 1,
      venue_rows: 1,
    });
    expect(await app.services.db.$count(profiles)).toBe(before);
  });

  it('and a row with more cells than columns is not imported, with its line and all its cells in the report', async () => {
    const email = newEmail();
    const file = [
      'Email,First name,Last name,Allergies',
      `${email},Ana,Ruiz,"red, no nuts",`,
      '',
      `${newEmail()},Bo,Chen,likes red, no nuts,sulfites`,
    ];
    const { id } = await uploadFile(staff, file.join('\n'));
    await settleImports(app);
    expect(await importOf(staff, id)).toMatchObject({ total_rows: 2, ready_rows: 1 });
    expect(await rowsOfImport(staff, id, 'problems')).toMatchObject([
      { line: 4, problems: ['cells_many'], member: null },
    ]);
    expect(await rowsOfImport(staff, id, 'ready')).toMatchObject([
      {
        line: 2,
        member: { email, first_name: 'Ana', last_name: 'Ruiz', allergies: 'red, no nuts', phone: null },
      },
    ]);
    const report = await (await staff.raw('GET', `/api/imports/${id}/csv`)).text();
    expect(report).toMatch(/\r\n4,not imported,.*,likes red,no nuts,sulfites|\r\n4,not imported,.*sulfites/);
  });

  it('with room for 200 tags of the venue, those that are new in earlier rows included', async () => {
    const { db, newId } = app.services;
    const created_at = app.clock.now();
    const others = Array.from({ length: MAX_TAGS - 2 - (await db.$count(tag)) }, (_, n) => `Shelf ${n}`);
    const made = others.map((label) => ({ id: newId(), label, key: tagKey(label), created_at }));
    await db.insert(tag).values(made);
    const tagged = (tags: string) => venueRow(newEmail(), { tags });
    const file = [HEAD, tagged('North'), tagged('"North; East"'), tagged('South'), tagged('East')];
    const { id } = await uploadFile(staff, file.join('\n'));
    await settleImports(app);
    expect((await rowsOfImport(staff, id)).map(({ problems }) => problems)).toEqual([
      [],
      [],
      ['venue_tags_full'],
      [],
    ]);
    const added = made.map((it) => it.id);
    await db.delete(tag).where(inArray(tag.id, added));
  });

  it('in the order of first and last name that staff choose, which is remembered', async () => {
    const file = (email: string) => `Email,Name\n${email},Nagy Béla`;
    const { id, mapping, date_order } = await uploadFile(staff, file(newEmail()));
    await settleImports(app);
    const how = { mapping, date_order, name_order: 'last_first' };
    await staff.must('PUT', `/api/imports/${id}/mapping`, how);
    await settleImports(app);
    const béla = { first_name: 'Béla', last_name: 'Nagy' };
    expect(await rowsOfImport(staff, id, 'ready')).toMatchObject([{ member: béla }]);
    await staff.must('POST', `/api/imports/${id}/start`, {});
    await settleImports(app);
    expect(await uploadFile(staff, file(newEmail()))).toMatchObject({ name_order: 'last_first' });
  });

  it('with the venue’s day as today: a member since is in the future from its midnight on', async () => {
    const today = localDate(app.clock.now(), VENUE_ZONE);
    const since = (day: string) => `${newEmail()},Ana,Ruiz,,,Premier,${day},T-77,,,,`;
    const { id } = await uploadFile(staff, [HEAD, since(today), since(addDays(today, 1))].join('\n'));
    await settleImports(app);
    expect((await rowsOfImport(staff, id)).map(({ problems }) => problems)).toEqual([
      [],
      ['member_since_future'],
    ]);
  });

  it('with a tier of the club chosen for each name that is none, and the row becomes a member of that tier', async () => {
    const email = newEmail();
    const unknown = `${newEmail()},Bo,Chen,,,constructor,,,,,,`;
    const file = [HEAD, venueRow(email).replace('Premier', ' Gold '), unknown].join('\n');
    const { id, mapping, date_order } = await uploadFile(staff, file);
    await settleImports(app);
    expect(await importOf(staff, id)).toMatchObject({
      ready_rows: 0,
      tier_names: { gold: null, constructor: null },
    });
    const tier_names = { gold: 'elite', constructor: 'nonsense' };
    await staff.must('PUT', `/api/imports/${id}/mapping`, { mapping, date_order, tier_names });
    await settleImports(app);
    expect((await rowsOfImport(staff, id)).map(({ problems }) => problems)).toEqual([[], ['tier_unknown']]);
    await staff.must('POST', `/api/imports/${id}/start`, {});
    await settleImports(app);
    expect((await memberOf(email)).customer.tier).toBe('elite');
  });

  it('again with other columns, which are remembered for the next file like it', async () => {
    const file = `Mail,Etunimi,Sukunimi\n${newEmail()},Ana,Ruiz`;
    const made = await staff.must<MemberImport>('POST', '/api/imports', {
      file_name: 'a.csv',
      columns: ['Mail', 'Etunimi', 'Sukunimi'],
    });
    expect(made.mapping).toEqual({ email: 0 });
    await staff.must('POST', `/api/imports/${made.id}/rows`, {
      first_row: 1,
      rows: [['a@b.test', 'Ana', 'Ruiz']],
    });
    const check = (mapping: object) =>
      staff.call('PUT', `/api/imports/${made.id}/mapping`, { mapping, date_order: 'day_first' });
    expect((await check({ email: 0 })).body).toMatchObject({ code: 'IMPORT_MAPPING' });
    await check({ email: 0, first_name: 1, last_name: 2 });
    await settleImports(app);
    expect(await importOf(staff, made.id)).toMatchObject({ ready_rows: 1 });
    await staff.must('POST', `/api/imports/${made.id}/start`, {});
    await settleImports(app);
    const next = await uploadFile(staff, file);
    expect(next).toMatchObject({
      mapping: { email: 0, first_name: 1, last_name: 2 },
      date_order: 'day_first',
    });
  });

  it('one at a time, until it is discarded', async () => {
    const { id } = await uploadFile(staff, `${HEAD}\n${venueRow(newEmail())}`);
    const other = { file_name: 'b.csv', columns: ['Email'] };
    expect((await staff.call('POST', '/api/imports', other)).body).toMatchObject({ code: 'IMPORT_OPEN' });
    await staff.must('DELETE', `/api/imports/${id}`);
    expect(await app.services.db.$count(member_import_row)).toBe(0);
    expect((await staff.call('POST', '/api/imports', other)).status).toBe(201);
  });

  it('and its rows are sent in order, repeated as often as the network needs', async () => {
    const { id } = await staff.must<MemberImport>('POST', '/api/imports', {
      file_name: 'c.csv',
      columns: ['Email'],
    });
    const send = (first_row: number, ...cells: string[]) =>
      staff.call('POST', `/api/imports/${id}/rows`, { first_row, rows: cells.map((it) => [it]) });
    await send(1, 'a', 'b');
    expect((await send(1, 'a', 'b')).body).toEqual({ total_rows: 2 });
    expect((await send(4, 'd')).body).toMatchObject({ code: 'IMPORT_CHANGED' });
    await send(3, 'c');
    expect((await rowsOfImport(staff, id)).map(({ cells }) => cells)).toEqual([['a'], ['b'], ['c']]);
  });

  it('and its first row must have the names of its columns', async () => {
    const headless = { file_name: 'd.csv', columns: ['ana@example.test', 'Ana'] };
    expect((await staff.call('POST', '/api/imports', headless)).body).toMatchObject({
      code: 'IMPORT_NEEDS_HEADER',
    });
  });
});

describe('who is imported', () => {
  it('with a payment reference becomes a member at the venue, with the glasses in the file', async () => {
    const email = newEmail();
    const { id } = await importFile(
      app,
      staff,
      `${HEAD}\n${venueRow(email, { left: '3', tags: '"VIP; Press"', notes: 'Window table' })}`,
    );
    expect(await importOf(staff, id)).toMatchObject({ status: 'imported', imported_rows: 1 });
    const member = await memberOf(email);
    expect(member).toMatchObject({
      customer: { tier: 'premier', status: 'active', member_since: '2019-03-31' },
      profile: { first_name: 'Ana', last_name: 'Ruiz', phone: '+1 555 0100' },
      standing: 'venue',
      available_pours: 3,
    });
    const kept = await staff.must('GET', `/api/customers/${member.customer.id}/record`);
    expect(kept).toMatchObject({
      notes: [{ body: 'Window table' }],
      tags: [{ label: 'Press' }, { label: 'VIP' }],
      about: { allergies: 'Nuts', birthday: { month: 4, day: 7, year: 1980 } },
    });
    const [membership] = await app.services.db
      .select()
      .from(memberships)
      .where(eq(memberships.customer_id, member.customer.id));
    expect(membership).toMatchObject({ toast_reference_number: 'T-77', recorded_by_staff_id: staff.id });
    // The current month's glasses with those taken; none of earlier months.
    const grants = await app.services.db
      .select({ grant: glass_grant, changed: glass_change })
      .from(glass_grant)
      .leftJoin(glass_change, eq(glass_change.grant_id, glass_grant.id))
      .where(eq(glass_grant.customer_id, member.customer.id));
    expect(grants).toMatchObject([
      {
        grant: { kind: 'period', glasses: 8, period: '2026-05-31', membership_id: membership?.id },
        changed: { kind: 'correction', glasses: -5 },
      },
    ]);
    const { status } = await pour(staff, member.customer.id);
    expect(status).toBe(201);
  });

  it('with 0 glasses left in the file has none until the next month', async () => {
    const [none, unknown] = [newEmail(), newEmail()];
    await importFile(app, staff, [HEAD, venueRow(none, { left: '0' }), venueRow(unknown)].join('\n'));
    const member = await memberOf(none);
    expect(member).toMatchObject({ standing: 'venue', available_pours: 0 });
    expect((await pour(staff, member.customer.id)).body.code).toBe('POURS_EXCEEDED');
    expect(await memberOf(unknown)).toMatchObject({ standing: 'venue', available_pours: 8 });
  });

  it('without one is recorded without a membership, and with only a name and an email gets an account', async () => {
    const [former, plain] = [newEmail(), newEmail()];
    const rows = [`${former},Bo,Chen,,,Elite,2020-01-05,,,,,`, `${plain},Cy,Diaz,,,,,,,,,`];
    await importFile(app, staff, [HEAD, ...rows].join('\n'));
    expect(await memberOf(former)).toMatchObject({
      customer: { tier: 'elite', status: 'inactive', member_since: '2020-01-05' },
      standing: 'inactive',
      has_active_membership: false,
    });
    const account = await userOf(plain);
    expect(account).toMatchObject({ emailVerified: false });
    expect((await staff.call('GET', `/api/customers/${account?.id}`)).status).toBe(404);
  });

  it('gets no email unless staff request it, and then one, with a link to choose a password', async () => {
    const email = newEmail();
    const { id } = await importFile(app, staff, `${HEAD}\n${venueRow(email)}`);
    expect(await app.services.db.$count(deliveries, eq(deliveries.recipient, email))).toBe(0);
    expect(await app.services.db.$count(accounts, eq(accounts.userId, (await userOf(email))?.id ?? ''))).toBe(
      0,
    );
    await staff.must('POST', `/api/imports/${id}/emails`, {});
    while (await emailBatch(app.services));
    expect(await importOf(staff, id)).toMatchObject({ emails_wanted: false, emailed_rows: 1 });
    const mail = await mailTo(app, email);
    expect(mail?.subject).toContain('Your account is ready');
    const [link] = await app.services.db
      .select({
        days: sql<number>`extract(days from ${verifications.expiresAt} - ${verifications.createdAt})::integer`,
      })
      .from(verifications)
      .where(eq(verifications.value, (await userOf(email))?.id ?? ''));
    expect(link).toEqual({ days: 14 });
    expect(mail?.text).toContain('14 days');
    const token = /reset-password#([\w-]+)/.exec(mail?.text ?? '')?.[1];
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    const member = app.visitor();
    await member.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    await asksOnce(member);
    await staff.must('POST', `/api/imports/${id}/emails`, {});
    while (await emailBatch(app.services));
    expect(await importOf(staff, id)).toMatchObject({ emailed_rows: 1 });
  });

  it('excludes anyone whose email has got an account since the check', async () => {
    const email = newEmail();
    const { id } = await uploadFile(staff, [HEAD, venueRow(email), venueRow(newEmail())].join('\n'));
    await settleImports(app);
    await app.customer({ email });
    await staff.must('POST', `/api/imports/${id}/start`, {});
    await settleImports(app);
    expect((await rowsOfImport(staff, id)).map(({ outcome }) => outcome)).toEqual(['refused', 'imported']);
    expect(await importOf(staff, id)).toMatchObject({ imported_rows: 1 });
  });
});

describe('a server that dies during an import', () => {
  it('continues where it stopped, with each row once', async () => {
    const emails = Array.from({ length: 45 }, newEmail);
    const { id } = await uploadFile(staff, [HEAD, ...emails.map((it) => venueRow(it))].join('\n'));
    await settleImports(app);
    await staff.must('POST', `/api/imports/${id}/start`, {});
    await importStep(app.services);
    // Dies within the second batch, so none of it is stored.
    let ids = 0;
    const dying = {
      ...app.services,
      newId() {
        if (++ids > 15) throw new Error('killed');
        return app.services.newId();
      },
    };
    await expect(importStep(dying)).rejects.toThrow('killed');
    expect(await importOf(staff, id)).toMatchObject({
      status: 'importing',
      done_rows: 10,
      imported_rows: 10,
    });
    // Two servers at once.
    await Promise.all([settleImports(app), settleImports(app)]);
    expect(await importOf(staff, id)).toMatchObject({ status: 'imported', imported_rows: 45 });
    expect(await Promise.all(emails.map(async (it) => (await memberOf(it)).standing))).toEqual(
      emails.map(() => 'venue'),
    );
  });
});

describe('undoing an import', () => {
  it('leaves the database as before', async () => {
    const [keptBefore, other] = [newEmail(), newEmail()];
    await importFile(app, staff, `${HEAD}\n${venueRow(keptBefore, { tags: 'VIP' })}`);
    const before = await withoutImports();
    const file = [
      HEAD,
      venueRow(other, { left: '1', tags: '"vip, New"', notes: 'Hello' }),
      `${newEmail()},Cy,Diaz,,,,,,,,,`,
    ];
    const { id } = await importFile(app, staff, file.join('\n'));
    expect(await undoImport(app, staff, id)).toMatchObject({
      status: 'undone',
      imported_rows: 0,
      kept_rows: 0,
    });
    expect(await withoutImports()).toEqual(before);
    const acts = await app.services.db.select({ act: audit_entry.act }).from(audit_entry);
    expect(acts.map(({ act }) => act)).toEqual(expect.arrayContaining(['members_imported', 'import_undone']));
  });

  it('keeps members with activity since, and says why', async () => {
    const [poured, noted, applied, idle] = [newEmail(), newEmail(), newEmail(), newEmail()];
    const file = [
      HEAD,
      venueRow(poured, { left: '3' }),
      venueRow(noted),
      `${applied},Bo,Chen,,,,,,,,,`,
      venueRow(idle),
    ];
    const { id } = await importFile(app, staff, file.join('\n'));
    await pour(staff, (await memberOf(poured)).customer.id);
    app.clock.advance({ minutes: 1 });
    await staff.must('POST', `/api/customers/${(await memberOf(noted)).customer.id}/notes`, {
      body: 'Came by',
    });
    await staff.must('POST', `/api/imports/${id}/emails`, {});
    while (await emailBatch(app.services));
    const link = (await mailTo(app, applied))?.text ?? '';
    const token = /reset-password#([\w-]+)/.exec(link)?.[1];
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    expect(await undoImport(app, staff, id)).toMatchObject({ imported_rows: 3, kept_rows: 3 });
    expect((await rowsOfImport(staff, id)).map((it) => it.kept_because ?? it.outcome)).toEqual([
      'poured',
      'changed',
      'signed_in',
      'undone',
    ]);
    const undone = await app.services.db
      .select({ facts: audit_entry.facts })
      .from(audit_entry)
      .where(and(eq(audit_entry.act, 'import_undone'), sql`${audit_entry.facts}->>'import_id' = ${id}`));
    expect(undone).toEqual([{ facts: { import_id: id, rows: 1 } }]);
    expect(await userOf(idle)).toBeUndefined();
    expect((await memberOf(poured)).available_pours).toBe(2);
    const report = await (await staff.raw('GET', `/api/imports/${id}/csv`)).text();
    expect(report).toContain('2,kept,"Pours were recorded, or a card was made."');
    expect(report).toContain('5,taken back,');
  });

  // Statements, because each use alone must keep the account; `who` is its profile, with the customer `member`.
  it('keeps an account for any one use since, with the reason', async () => {
    const uses: [reason: string, statement: string][] = [
      ['staff', `update user_roles set role = 'staff' where user_id = (select id from who)`],
      [
        'signed_in',
        `insert into sessions (id, user_id, token, expires_at) select gen_random_uuid(), id, 'token', now() from who`,
      ],
      [
        'signed_in',
        `insert into passkeys (id, user_id, credential_id, public_key, counter, device_type, backed_up)
           select gen_random_uuid(), id, 'key', 'key', 0, 'singleDevice', false from who`,
      ],
      [
        'poured',
        `insert into paper_card (id, customer_id, issued_at) select gen_random_uuid(), member, now() from who`,
      ],
      [
        'poured',
        `insert into wallet_pass (id, user_id, customer_id, platform, content_hash, updated_at, created_at)
           select gen_random_uuid(), id, member, 'apple', '', now(), now() from who`,
      ],
      [
        'pays_by_card',
        `insert into billing_customer (user_id, stripe_customer_id, created_at) select id, 'cus_1', now() from who`,
      ],
      [
        'applied',
        `insert into membership_applications (id, user_id, status, is_complete, current_step, created_at, updated_at)
           select gen_random_uuid(), id, 'pending', false, 1, now(), now() from who`,
      ],
      [
        'changed',
        `insert into given_glasses (id, request_id, customer_id, kind, glasses, created_at)
           select gen_random_uuid(), gen_random_uuid(), member, 'celebration', 1, now() from who`,
      ],
      [
        'changed',
        `update memberships set status = 'ended', end_date = start_date where customer_id = (select member from who)`,
      ],
    ];
    const emails = [...uses.map(() => newEmail()), newEmail()];
    const { id } = await importFile(app, staff, [HEAD, ...emails.map((it) => venueRow(it))].join('\n'));
    for (const [nth, [, statement]] of uses.entries()) {
      await app.services.db.execute(
        sql`with who as (select p.id, c.id as member from profiles p join customers c on c.user_id = p.id
                          where p.email = ${emails[nth]}) ${sql.raw(statement)}`,
      );
    }
    await undoImport(app, staff, id);
    expect((await rowsOfImport(staff, id)).map((it) => it.kept_because ?? it.outcome)).toEqual([
      ...uses.map(([reason]) => reason),
      'undone',
    ]);
  });

  // Each alone, as when the email is unconfirmed and the session is over.
  it('never deletes an account with a password, a stored consent or a confirmed email', async () => {
    const [withPassword, withConsent, confirmed, idle] = [newEmail(), newEmail(), newEmail(), newEmail()];
    const file = [HEAD, ...[withPassword, withConsent, confirmed, idle].map((it) => venueRow(it))].join('\n');
    const { id } = await importFile(app, staff, file);
    const { db, newId, now } = app.services;
    const idOf = async (email: string) => (await userOf(email))?.id ?? '';
    const userId = await idOf(withPassword);
    await db
      .insert(accounts)
      .values({ id: newId(), userId, accountId: userId, providerId: 'credential', password: 'a hash' });
    const user_id = await idOf(withConsent);
    const words = { text_version: 'v1', text: 'I am of age.', created_at: now() };
    await db.insert(consent).values({ id: newId(), user_id, what: 'account', act_id: user_id, ...words });
    await db.execute(sql`update profiles set email_verified = true where email = ${confirmed}`);
    expect(await undoImport(app, staff, id)).toMatchObject({ imported_rows: 3, kept_rows: 3 });
    expect((await rowsOfImport(staff, id)).map((it) => it.kept_because ?? it.outcome)).toEqual([
      'signed_in',
      'signed_in',
      'signed_in',
      'undone',
    ]);
    expect(await userOf(withPassword)).toBeDefined();
    expect(await db.$count(consent, eq(consent.user_id, user_id))).toBe(1);
  });
});

describe('rows of a file', () => {
  it('are deleted 30 days after the import, or after a week if not imported', async () => {
    const { id } = await importFile(app, staff, `${HEAD}\n${venueRow(newEmail())}`);
    await uploadFile(staff, `${HEAD}\n${venueRow(newEmail())}`);
    const rowsAfter = async (time: { days?: number; minutes?: number }) => {
      app.clock.advance(time);
      await deleteOldImports(app.services);
      return app.services.db.$count(member_import_row);
    };
    expect(await rowsAfter({ days: 7, minutes: -1 })).toBe(2);
    expect(await rowsAfter({ minutes: 2 })).toBe(1);
    expect(await rowsAfter({ days: 23, minutes: -2 })).toBe(1);
    expect(await rowsAfter({ minutes: 2 })).toBe(0);
    expect(await app.services.db.$count(member_import_row)).toBe(0);
    expect(await importOf(staff, id)).toMatchObject({ has_rows: false, imported_rows: 1 });
    expect((await staff.call('POST', `/api/imports/${id}/undo`, {})).body).toMatchObject({
      code: 'IMPORT_CHANGED',
    });
  });

  it('are deleted 30 days after the import was undone, with the file’s name', async () => {
    const { id } = await importFile(app, staff, `${HEAD}\n${venueRow(newEmail())}`);
    expect(await undoImport(app, staff, id)).toMatchObject({ status: 'undone', has_rows: true });
    const { db } = app.services;
    const left = async () => [await db.$count(member_import_row), await db.select().from(member_import)];
    expect(await left()).toMatchObject([1, [{ file_name: 'members.csv' }]]);
    app.clock.advance({ days: 30, minutes: 1 });
    await deleteOldImports(app.services);
    expect(await left()).toMatchObject([0, [{ file_name: null }]]);
    expect(await importOf(staff, id)).toMatchObject({ has_rows: false });
  });
});

/** Requests like the dashboard: age and terms, once, in the text shown. */
async function asksOnce(member: Caller) {
  const due = async () => {
    const { consent_due } = await member.must<{ consent_due: { version: string; text: string } | null }>(
      'GET',
      '/api/customers/own',
    );
    return consent_due;
  };
  const words = await due();
  expect(words?.text).toContain('By continuing, you confirm that you are at least 21 years old');
  const other = await member.call('POST', '/api/profile/consent', { consent_version: 'another' });
  expect(other.body).toMatchObject({ code: 'CONSENT_OUTDATED', data: { current: words } });
  await member.must('POST', '/api/profile/consent', { consent_version: words?.version });
  expect(await due()).toBeNull();
  expect(await app.services.db.select().from(consent)).toContainEqual(
    expect.objectContaining({ what: 'account', text: words?.text }),
  );
}

/** Everything but the imports themselves, their audit entries and the sessions. */
async function withoutImports() {
  const all = await wholeDatabase(app);
  for (const table of ['member_import', 'member_import_row', 'audit_entry', 'sessions']) all.delete(table);
  return all;
}
