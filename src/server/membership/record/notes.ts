import { Refusal } from '../../../contract/refusals.ts';
import type { MemberNote } from '../../../contract/staff/member-record.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { alias, desc, eq, inArray, type SQL } from '../../db/orm.ts';
import { member_note, member_note_version, profiles } from '../../db/schema.ts';
import { fullName } from '../../platform/sql-text.ts';
import type { MembershipContext } from '../membership-context.ts';
import { holdMember } from './locks.ts';

/** Notes on a member's page; there is no second page. */
const SHOWN = 200;

const writer = alias(profiles, 'writer');
const remover = alias(profiles, 'remover');

async function readNotes(db: Db | Tx, filter: SQL): Promise<MemberNote[]> {
  const notes = await db
    .select({ note: member_note, removed_by: fullName(remover) })
    .from(member_note)
    .leftJoin(remover, eq(remover.id, member_note.removed_by_staff_id))
    .where(filter)
    .orderBy(desc(member_note.created_at), desc(member_note.id))
    .limit(SHOWN);
  if (notes.length === 0) return [];
  const versions = await db
    .select({ version: member_note_version, written_by: fullName(writer) })
    .from(member_note_version)
    .innerJoin(writer, eq(writer.id, member_note_version.written_by_staff_id))
    .where(
      inArray(
        member_note_version.note_id,
        notes.map(({ note }) => note.id),
      ),
    )
    .orderBy(desc(member_note_version.version));
  return notes.flatMap(({ note: { id, removed_at }, removed_by }) => {
    const [last, ...earlier] = versions
      .filter(({ version }) => version.note_id === id)
      .map(({ version, written_by }) => ({
        body: version.body,
        written_by,
        written_at: version.written_at.toISOString(),
      }));
    const removal = removed_at && { by: removed_by, at: removed_at.toISOString() };
    return last ? [{ id, ...last, earlier, removed: removal }] : [];
  });
}

export const listNotes = (db: Db | Tx, customerId: string): Promise<MemberNote[]> =>
  readNotes(db, eq(member_note.customer_id, customerId));

async function oneNote(tx: Tx, id: string): Promise<MemberNote> {
  const [note] = await readNotes(tx, eq(member_note.id, id));
  if (!note) throw new Refusal('NOT_FOUND', { what: 'note' });
  return note;
}

/** Writes a note about a member. Throws Refusal NOT_FOUND. */
export async function addNote(
  ctx: MembershipContext,
  { customer_id, body }: { customer_id: string; body: string },
): Promise<MemberNote> {
  const { db, actor, now, newId } = ctx;
  return db.transaction(async (tx) => {
    const subject_id = await holdMember(tx, customer_id);
    const [id, at] = [newId(), now()];
    await tx.insert(member_note).values({ id, customer_id, created_at: at });
    await tx
      .insert(member_note_version)
      .values({ note_id: id, version: 1, body, written_by_staff_id: actor.user_id, written_at: at });
    await recordAudit(tx, ctx, { act: 'note_added', subject_id, facts: { note_id: id } });
    return oneNote(tx, id);
  });
}

async function holdNote(tx: Tx, id: string) {
  const [note] = await tx.select().from(member_note).where(eq(member_note.id, id)).for('update');
  if (!note) throw new Refusal('NOT_FOUND', { what: 'note' });
  return { note, subject_id: await holdMember(tx, note.customer_id) };
}

/** Edits a note; earlier texts stay readable. An unchanged text is ignored. Throws Refusal NOT_FOUND, NOTE_REMOVED. */
export async function editNote(
  ctx: MembershipContext,
  { id, body }: { id: string; body: string },
): Promise<MemberNote> {
  return ctx.db.transaction(async (tx) => {
    const { note, subject_id } = await holdNote(tx, id);
    if (note.removed_at) throw new Refusal('NOTE_REMOVED');
    const before = await oneNote(tx, id);
    if (before.body === body) return before;
    await tx.insert(member_note_version).values({
      note_id: id,
      version: before.earlier.length + 2,
      body,
      written_by_staff_id: ctx.actor.user_id,
      written_at: ctx.now(),
    });
    await recordAudit(tx, ctx, { act: 'note_edited', subject_id, facts: { note_id: id } });
    return oneNote(tx, id);
  });
}

/** Marks a note as removed, but leaves it stored; repeating it changes nothing. Throws Refusal NOT_FOUND. */
export async function removeNote(ctx: MembershipContext, { id }: { id: string }): Promise<MemberNote> {
  return ctx.db.transaction(async (tx) => {
    const { note, subject_id } = await holdNote(tx, id);
    if (!note.removed_at) {
      await tx
        .update(member_note)
        .set({ removed_at: ctx.now(), removed_by_staff_id: ctx.actor.user_id })
        .where(eq(member_note.id, id));
      await recordAudit(tx, ctx, { act: 'note_removed', subject_id, facts: { note_id: id } });
    }
    return oneNote(tx, id);
  });
}
