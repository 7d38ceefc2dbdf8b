import { Refusal } from '../../contract/refusals.ts';
import { approvedTier } from '../../domain/application.ts';
import { addDays } from '../../domain/calendar.ts';
import { type ImportedMember, isOnRecord, readImportRow } from '../../domain/imports/import-row.ts';
import { monthStart } from '../../domain/membership/dues.ts';
import { MAX_TAGS, tagKey } from '../../domain/staff/member-record.ts';
import type { Tx } from '../db/client.ts';
import { eq, inArray, sql } from '../db/orm.ts';
import {
  customers,
  dues,
  imported_account,
  member_about,
  member_import,
  member_import_row,
  member_note,
  member_note_version,
  member_tag,
  memberships,
  profiles,
  tag,
} from '../db/schema.ts';
import { allOrEach } from './all-or-each.ts';
import { importRules, nextRows, type TierRow, takenEmails } from './check-batch.ts';
import type { ImportRecord, ImportWorker } from './import-context.ts';

const CORRECTION_REASON = 'Pours left when the member was imported';

interface Arrival {
  row_no: number;
  member: ImportedMember;
  user_id: string;
  /** Null if only an account is made. */
  customer_id: string | null;
  given_id: string | null;
}

interface Arrivals {
  at: Date;
  staff_id: string;
  tiers: TierRow[];
  today: string;
}

/** Imports the next `batch` rows, each completely or not at all, in the caller's transaction. */
export async function importBatch(
  ctx: ImportWorker,
  tx: Tx,
  record: ImportRecord,
  batch: number,
): Promise<void> {
  const { id, mapping, started_by_staff_id: staff_id } = record;
  // The staff member who started the import has deleted their account. The remaining rows would have no author, so it ends
  // here.
  if (!staff_id) {
    await tx
      .update(member_import)
      .set({ status: 'imported', finished_at: ctx.now() })
      .where(eq(member_import.id, id));
    return;
  }
  // A change of a tier's glasses corrects existing grants, so it must come wholly before this batch or wholly after.
  await tx.execute(sql`select 1 from tier_definitions order by tier_name for key share`);
  const rows = (await nextRows(tx, record, batch)).filter((it) => it.problems?.length === 0 && !it.outcome);
  const rules = await importRules(ctx, tx, record);
  const facts: Arrivals = { at: ctx.now(), staff_id, tiers: rules.tiers, today: rules.today };
  const usedEmails = await takenEmails(
    tx,
    rows.flatMap(({ email }) => email ?? []),
  );
  const arrivals = rows.flatMap(({ row_no, cells }) => {
    const { member } = readImportRow(cells, mapping, rules);
    return member && !usedEmails.has(member.email) ? [arrivalOf(ctx, row_no, member, facts.tiers)] : [];
  });
  const newcomers = await allOrEach(tx, arrivals, (inner, part) => write(inner, ctx, facts, part));
  await noteArrivals(tx, id, newcomers, facts.at);
  const refusals = rows
    .map(({ row_no }) => row_no)
    .filter((it) => !newcomers.some(({ row_no }) => row_no === it));
  if (refusals.length > 0) {
    await tx
      .update(member_import_row)
      .set({ outcome: 'refused', problems: ['changed_meanwhile'] })
      .where(
        sql`${member_import_row.import_id} = ${id}::uuid and ${inArray(member_import_row.row_no, refusals)}`,
      );
  }
  const done_rows = Math.min(record.done_rows + batch, record.total_rows);
  await tx
    .update(member_import)
    .set({
      done_rows,
      imported_rows: record.imported_rows + newcomers.length,
      ...(done_rows >= record.total_rows && { status: 'imported' as const, finished_at: facts.at }),
    })
    .where(eq(member_import.id, id));
}

function arrivalOf(
  { newId }: ImportWorker,
  row_no: number,
  member: ImportedMember,
  tiers: TierRow[],
): Arrival {
  const isPaying = member.payment_reference !== null;
  const monthlyGlasses = tiers.find(({ tier_name }) => tier_name === member.tier)?.monthly_pours;
  const isCorrected = isPaying && member.glasses_left !== null && member.glasses_left !== monthlyGlasses;
  return {
    row_no,
    member,
    user_id: newId(),
    customer_id: isPaying || isOnRecord(member) ? newId() : null,
    given_id: isCorrected ? newId() : null,
  };
}

async function write(tx: Tx, ctx: ImportWorker, facts: Arrivals, arrivals: Arrival[]): Promise<void> {
  const people = arrivals.map(({ user_id, member: { first_name, last_name, email, phone } }) => {
    return { id: user_id, first_name, last_name, email, phone };
  });
  await makeAccounts(tx, facts.at, people);
  const onRecord = arrivals.filter((it): it is Arrival & { customer_id: string } => it.customer_id !== null);
  await writeMemberships(tx, ctx, facts, onRecord);
  await writeRecords(tx, ctx, facts, onRecord);
}

/** Makes accounts without a password, with an unconfirmed email. */
export async function makeAccounts(
  tx: Tx,
  at: Date,
  people: Pick<typeof profiles.$inferInsert, 'id' | 'first_name' | 'last_name' | 'email' | 'phone'>[],
): Promise<void> {
  const defaults = { emailVerified: false, createdAt: at, updatedAt: at };
  await tx
    .insert(profiles)
    .values(people.map((it) => ({ ...it, ...defaults, name: `${it.first_name} ${it.last_name}` })));
  await tx.insert(imported_account).values(people.map(({ id }) => ({ user_id: id, imported_at: at })));
}

type OnRecord = Arrival & { customer_id: string };

/** Writes customers, and the memberships billed at the venue, with the running period's grant and its correction. */
async function writeMemberships(
  tx: Tx,
  { newId, venue, billing }: ImportWorker,
  { at, staff_id, tiers, today }: Arrivals,
  arrivals: OnRecord[],
): Promise<void> {
  if (arrivals.length === 0) return;
  const since = ({ member }: Arrival) => member.member_since ?? today;
  await tx.insert(customers).values(
    arrivals.map((it) => ({
      id: it.customer_id,
      user_id: it.user_id,
      tier: approvedTier(it.member.tier),
      status: it.member.payment_reference ? ('active' as const) : ('inactive' as const),
      member_since: since(it),
      signed_up_by_staff_id: staff_id,
      created_at: at,
    })),
  );
  const payers = arrivals.filter(({ member }) => member.payment_reference !== null);
  if (payers.length === 0) return;
  const priceOf = new Map(tiers.map((it) => [it.tier_name, it]));
  const { grace_days } = billing.rules();
  const graceFrom = (day: string) => addDays(day > today ? day : today, grace_days);
  const rows = payers.map((it) => ({ ...it, membership_id: newId() }));
  await tx.insert(memberships).values(
    rows.map((it) => ({
      id: it.membership_id,
      customer_id: it.customer_id,
      tier: approvedTier(it.member.tier),
      start_date: since(it),
      counted_from: monthStart(since(it), today),
      status: 'active' as const,
      monthly_price_cents: priceOf.get(it.member.tier ?? '')?.monthly_price_cents ?? 0,
      recorded_by_staff_id: staff_id,
      toast_reference_number: it.member.payment_reference,
      paid_until: it.member.paid_until,
      grace_until: it.member.paid_until && graceFrom(it.member.paid_until),
    })),
  );
  const starts = rows.flatMap(({ customer_id, membership_id, member: { paid_until } }) => {
    if (paid_until === null) return [];
    const start = { kind: 'start' as const, amount_cents: 0, months: 0, paid_on: today };
    const days = { paid_from: paid_until, paid_until, created_at: at, recorded_by_staff_id: staff_id };
    return [{ id: newId(), request_id: newId(), customer_id, membership_id, ...start, ...days }];
  });
  if (starts.length > 0) await tx.insert(dues).values(starts);
  const corrections = payers.flatMap(({ given_id: id, customer_id, member }) => {
    const monthlyGlasses = priceOf.get(member.tier ?? '')?.monthly_pours ?? 0;
    return id ? [{ id, customer_id, glasses: (member.glasses_left ?? monthlyGlasses) - monthlyGlasses }] : [];
  });
  const now = sql`${at.toISOString()}::timestamptz`;
  const members = JSON.stringify(payers.map(({ customer_id }) => customer_id));
  // Writes what write_due_grants would for one member; these are new, so they owe nothing and nothing rolled over.
  await tx.execute(
    sql`insert into glass_grant select g.* from jsonb_array_elements_text(${members}::jsonb) id
         cross join lateral due_grants(id::uuid, ${now}, ${venue.time_zone}) g`,
  );
  if (corrections.length === 0) return;
  const correction = {
    kind: 'correction' as const,
    reason: CORRECTION_REASON,
    given_by_staff_id: staff_id,
    created_at: at,
  };
  const correctionRows = JSON.stringify(
    corrections.map((it) => ({ ...it, ...correction, request_id: newId() })),
  );
  await tx.execute(
    sql`select write_given(g, ${venue.time_zone}) from jsonb_populate_recordset(null::given_glasses, ${correctionRows}::jsonb) g`,
  );
}

async function writeRecords(
  tx: Tx,
  { newId }: ImportWorker,
  { at, staff_id }: Arrivals,
  arrivals: OnRecord[],
): Promise<void> {
  const notes = arrivals.flatMap(({ customer_id, member }) =>
    member.notes.map((body) => ({ id: newId(), customer_id, body })),
  );
  if (notes.length > 0) {
    await tx
      .insert(member_note)
      .values(notes.map(({ id, customer_id }) => ({ id, customer_id, created_at: at })));
    const stamp = { version: 1, written_by_staff_id: staff_id, written_at: at };
    await tx
      .insert(member_note_version)
      .values(notes.map(({ id, body }) => ({ note_id: id, body, ...stamp })));
  }
  const details = arrivals.filter(({ member }) => member.allergies !== null || member.birthday !== null);
  if (details.length > 0) {
    await tx.insert(member_about).values(
      details.map(({ customer_id, member: { allergies, birthday } }) => ({
        customer_id,
        allergies,
        birth_month: birthday?.month ?? null,
        birth_day: birthday?.day ?? null,
        birth_year: birthday?.year ?? null,
        changed_at: at,
        changed_by_staff_id: staff_id,
      })),
    );
  }
  const labelRows = arrivals.flatMap(({ customer_id, member }) =>
    member.tags.map((label) => ({ customer_id, label, key: tagKey(label) })),
  );
  if (labelRows.length === 0) return;
  // Takes addTag's lock: one transaction at a time makes or drops tags.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('tags of the venue'))`);
  const labels = new Map(labelRows.toReversed().map(({ key, label }) => [key, label]));
  await tx
    .insert(tag)
    .values([...labels].map(([key, label]) => ({ id: newId(), key, label, created_at: at })))
    .onConflictDoNothing();
  const tags = await tx
    .select({ id: tag.id, key: tag.key })
    .from(tag)
    .where(inArray(tag.key, [...labels.keys()]));
  if ((await tx.$count(tag)) > MAX_TAGS) throw new Refusal('TOO_MANY_TAGS');
  const idOf = new Map(tags.map(({ id, key }) => [key, id]));
  await tx.insert(member_tag).values(
    labelRows.flatMap(({ customer_id, key }) => {
      const tag_id = idOf.get(key);
      return tag_id ? [{ customer_id, tag_id, added_by_staff_id: staff_id, added_at: at }] : [];
    }),
  );
}

async function noteArrivals(tx: Tx, id: string, arrivals: Arrival[], at: Date): Promise<void> {
  const rows = arrivals.map(({ row_no, user_id, given_id }) => ({ row_no, user_id, given_id }));
  await tx.execute(sql`
    update member_import_row r
       set outcome = 'imported', user_id = a.user_id, given_id = a.given_id, imported_at = ${at.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a(row_no integer, user_id uuid, given_id uuid)
     where r.import_id = ${id}::uuid and r.row_no = a.row_no`);
}
