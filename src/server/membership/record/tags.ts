import { Refusal } from '../../../contract/refusals.ts';
import type { MemberTag } from '../../../contract/staff/member-record.ts';
import { MAX_TAGS, MAX_TAGS_OF_MEMBER, tagKey } from '../../../domain/staff/member-record.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, asc, eq, inArray, notExists, type SQL, sql } from '../../db/orm.ts';
import { member_tag, tag } from '../../db/schema.ts';
import type { MembershipContext } from '../membership-context.ts';
import { holdMember } from './locks.ts';

const FIELDS = { id: tag.id, label: tag.label };

export const listTags = (db: Db | Tx): Promise<MemberTag[]> =>
  db.select(FIELDS).from(tag).orderBy(asc(tag.key)).limit(MAX_TAGS);

export const listVenueTags = ({ db }: Pick<MembershipContext, 'db'>): Promise<MemberTag[]> => listTags(db);

export const tagsOf = (db: Db | Tx, customerId: string): Promise<MemberTag[]> =>
  db
    .select(FIELDS)
    .from(member_tag)
    .innerJoin(tag, eq(tag.id, member_tag.tag_id))
    .where(eq(member_tag.customer_id, customerId))
    .orderBy(asc(tag.key));

/** Making and dropping tags takes turns, so that two people typing the same tag make one. */
const lockTags = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('tags of the venue'))`);

async function dropUnused(tx: Tx, ids: string[]): Promise<void> {
  const uses = tx.select({ one: sql`1` }).from(member_tag).where(eq(member_tag.tag_id, tag.id));
  await tx.delete(tag).where(and(inArray(tag.id, ids), notExists(uses)));
}

/**
 * Gives a member a tag, which is made if it does not exist; an existing one stays. Throws Refusal NOT_FOUND, TOO_MANY_TAGS.
 */
export async function addTag(
  ctx: MembershipContext,
  { customer_id, label }: { customer_id: string; label: string },
): Promise<MemberTag> {
  const { db, actor, now, newId } = ctx;
  return db.transaction(async (tx) => {
    const subject_id = await holdMember(tx, customer_id);
    await lockTags(tx);
    const key = tagKey(label);
    const [known] = await tx.select(FIELDS).from(tag).where(eq(tag.key, key));
    if (!known && (await tx.$count(tag)) >= MAX_TAGS) throw new Refusal('TOO_MANY_TAGS');
    const entry = known ?? { id: newId(), label: label.trim().replace(/\s+/g, ' ') };
    if (!known) await tx.insert(tag).values({ ...entry, key, created_at: now() });
    const rows = await tx
      .insert(member_tag)
      .values({ customer_id, tag_id: entry.id, added_by_staff_id: actor.user_id, added_at: now() })
      .onConflictDoNothing()
      .returning({ id: member_tag.tag_id });
    if ((await tx.$count(member_tag, eq(member_tag.customer_id, customer_id))) > MAX_TAGS_OF_MEMBER) {
      throw new Refusal('TOO_MANY_TAGS');
    }
    if (rows.length > 0) {
      await recordAudit(tx, ctx, { act: 'tag_added', subject_id, facts: { tag_id: entry.id } });
    }
    return entry;
  });
}

/** Takes a tag from a member, and deletes it once unused. Throws Refusal NOT_FOUND. */
export async function removeTag(
  ctx: MembershipContext,
  { customer_id, tag_id }: { customer_id: string; tag_id: string },
): Promise<{ removed: true }> {
  return ctx.db.transaction(async (tx) => {
    const subject_id = await holdMember(tx, customer_id);
    await lockTags(tx);
    const rows = await tx
      .delete(member_tag)
      .where(and(eq(member_tag.customer_id, customer_id), eq(member_tag.tag_id, tag_id)))
      .returning({ id: member_tag.tag_id });
    if (rows.length > 0) {
      await dropUnused(tx, [tag_id]);
      await recordAudit(tx, ctx, { act: 'tag_removed', subject_id, facts: { tag_id } });
    }
    return { removed: true };
  });
}

/** Takes all tags from members who are being deleted, in that transaction, and deletes unused ones. */
export async function removeAllTags(tx: Tx, members: SQL | string[]): Promise<void> {
  await lockTags(tx);
  const rows = await tx
    .delete(member_tag)
    .where(inArray(member_tag.customer_id, members))
    .returning({ id: member_tag.tag_id });
  const ids = [...new Set(rows.map(({ id }) => id))];
  if (ids.length > 0) await dropUnused(tx, ids);
}
