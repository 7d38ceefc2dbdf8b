import { Refusal } from '../../contract/refusals.ts';
import type { StaffNotice, StaffNoticeFacts } from '../../contract/staff-notices.ts';
import { SETTLED_NOTICE_SHOWN_HOURS, type StaffNoticeKind } from '../../domain/staff-notice.ts';
import type { Db, Tx } from '../db/client.ts';
import { aliasedTable, and, asc, eq, gt, isNull, or, sql } from '../db/orm.ts';
import { customers, profiles, staff_notice } from '../db/schema.ts';
import type { Actor } from '../platform/actor.ts';

const HOUR_MS = 3_600_000;
const MAX_LISTED = 100;

export type NewStaffNotice = {
  [Kind in StaffNoticeKind]: { kind: Kind; facts: StaffNoticeFacts[Kind] };
}[StaffNoticeKind] & {
  /** Identifies the matter: posting it again does nothing, even after it was settled. */
  cause: string;
  /** Null if no user is known. */
  user_id: string | null;
  at: Date;
};

interface NoticeContext {
  db: Db;
  actor: Actor;
  now(): Date;
}

/** Notifies staff, in the transaction of the cause. docs/rules/billing.md, "Billing: staff notices". */
export async function postStaffNotice(tx: Db | Tx, { at, ...notice }: NewStaffNotice): Promise<void> {
  await tx
    .insert(staff_notice)
    .values({ ...notice, created_at: at })
    .onConflictDoNothing({ target: staff_notice.cause });
}

/** Replaces the facts of a notice, if there is one; with `reopen`, a settled one is open again. */
export async function updateStaffNotice(
  tx: Db | Tx,
  { cause, facts }: Pick<NewStaffNotice, 'cause' | 'facts'>,
  { reopen }: { reopen: boolean },
): Promise<void> {
  await tx
    .update(staff_notice)
    .set({ facts, ...(reopen && { settled_at: null, settled_by_staff_id: null }) })
    .where(eq(staff_notice.cause, cause));
}

const settler = aliasedTable(profiles, 'settler');

const selectNotices = (db: Db) =>
  db
    .select({
      notice: staff_notice,
      profile: profiles,
      customer_id: customers.id,
      settled_by: { first_name: settler.first_name, last_name: settler.last_name },
    })
    .from(staff_notice)
    .leftJoin(profiles, eq(profiles.id, staff_notice.user_id))
    .leftJoin(customers, eq(customers.user_id, staff_notice.user_id))
    .leftJoin(settler, eq(settler.id, staff_notice.settled_by_staff_id));

type Row = Awaited<ReturnType<typeof selectNotices>>[number];

function toNotice({ notice, profile, customer_id, settled_by }: Row): StaffNotice {
  const { id, kind, facts, created_at, settled_at } = notice;
  return {
    id,
    member: profile && {
      user_id: profile.id,
      first_name: profile.first_name,
      last_name: profile.last_name,
      email: profile.email,
      has_record: customer_id !== null,
    },
    created_at: created_at.toISOString(),
    settled:
      settled_at && settled_by
        ? { at: settled_at.toISOString(), by: `${settled_by.first_name} ${settled_by.last_name}`.trim() }
        : null,
    // The details were stored by postStaffNotice for this kind; the contract checks them again.
    ...({ kind, facts } as Pick<StaffNotice, 'kind' | 'facts'>),
  } as StaffNotice;
}

/** Open notices, summaries of what was caught up on first, then the oldest first; then those settled in the last 24 hours, latest first. */
export async function listStaffNotices({ db, now }: NoticeContext): Promise<StaffNotice[]> {
  const cutoff = new Date(now().getTime() - SETTLED_NOTICE_SHOWN_HOURS * HOUR_MS);
  const rows = await selectNotices(db)
    .where(or(isNull(staff_notice.settled_at), gt(staff_notice.settled_at, cutoff)))
    .orderBy(
      sql`${staff_notice.settled_at} desc nulls first`,
      sql`${staff_notice.kind} = 'caught_up' desc`,
      asc(staff_notice.created_at),
      asc(staff_notice.id),
    )
    .limit(MAX_LISTED);
  return rows.map(toNotice);
}

/** Throws Refusal NOT_FOUND. */
async function getNotice(db: Db, id: string): Promise<StaffNotice> {
  const [row] = await selectNotices(db).where(eq(staff_notice.id, id));
  if (!row) throw new Refusal('NOT_FOUND', { what: 'notice' });
  return toNotice(row);
}

/** Records who settled a notice, and when. Settling it again changes nothing. Throws Refusal NOT_FOUND. */
export async function settleStaffNotice(
  { db, actor, now }: NoticeContext,
  { id }: { id: string },
): Promise<StaffNotice> {
  await db
    .update(staff_notice)
    .set({ settled_at: now(), settled_by_staff_id: actor.user_id })
    .where(and(eq(staff_notice.id, id), isNull(staff_notice.settled_at)));
  return getNotice(db, id);
}

/** Reopens a settled notice; an open one is unchanged. Throws Refusal NOT_FOUND. */
export async function reopenStaffNotice({ db }: NoticeContext, { id }: { id: string }): Promise<StaffNotice> {
  await db
    .update(staff_notice)
    .set({ settled_at: null, settled_by_staff_id: null })
    .where(eq(staff_notice.id, id));
  return getNotice(db, id);
}
