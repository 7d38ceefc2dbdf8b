import type { InputOf } from '../../../contract/base.ts';
import type { AboutMember, memberRecord } from '../../../contract/staff/member-record.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { member_about } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { MembershipContext } from '../membership-context.ts';
import { holdMember } from './locks.ts';
import { listNotes } from './notes.ts';
import { listTags, tagsOf } from './tags.ts';

async function aboutOf(db: Db | Tx, customerId: string): Promise<AboutMember> {
  const [row] = await db.select().from(member_about).where(eq(member_about.customer_id, customerId));
  if (!row) return { allergies: null, birthday: null };
  const { allergies, birth_month: month, birth_day: day, birth_year: year } = row;
  return { allergies, birthday: month && day ? { month, day, year } : null };
}

/** The staff's record of a member. Throws Refusal NOT_FOUND. */
export async function getMemberRecord({ db }: MembershipContext, { customer_id }: { customer_id: string }) {
  await userOfMember(db, customer_id);
  return {
    notes: await listNotes(db, customer_id),
    tags: await tagsOf(db, customer_id),
    all_tags: await listTags(db),
    about: await aboutOf(db, customer_id),
  };
}

/** Replaces allergies and birthday. The audit names the changed fields, not their values. Throws Refusal NOT_FOUND. */
export async function updateAbout(
  ctx: MembershipContext,
  { customer_id, allergies, birthday }: InputOf<typeof memberRecord.updateAbout>,
): Promise<AboutMember> {
  return ctx.db.transaction(async (tx) => {
    const subject_id = await holdMember(tx, customer_id);
    const before = await aboutOf(tx, customer_id);
    const after = { allergies: allergies || null, birthday };
    const changes = {
      allergies: before.allergies !== after.allergies,
      birthday: JSON.stringify(before.birthday) !== JSON.stringify(after.birthday),
    };
    if (!changes.allergies && !changes.birthday) return before;
    const values = {
      allergies: after.allergies,
      birth_month: birthday?.month ?? null,
      birth_day: birthday?.day ?? null,
      birth_year: birthday?.year ?? null,
      changed_at: ctx.now(),
      changed_by_staff_id: ctx.actor.user_id,
    };
    await tx
      .insert(member_about)
      .values({ customer_id, ...values })
      .onConflictDoUpdate({ target: member_about.customer_id, set: values });
    const fields = Object.entries(changes).flatMap(([field, isChanged]) => (isChanged ? [field] : []));
    await recordAudit(tx, ctx, { act: 'member_changed', subject_id, facts: { fields: fields.join(' ') } });
    return aboutOf(tx, customer_id);
  });
}
