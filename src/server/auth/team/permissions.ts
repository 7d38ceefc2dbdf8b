import { STAFF_PERMISSIONS, type StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { type AuditContext, recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, asc, eq, inArray, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { staff_permission } from '../../db/schema.ts';

/** Freezes permissions, and who the first staff member is, until the transaction ends. */
export async function lockStaffPermissions(tx: Tx): Promise<void> {
  await tx.execute(sql`select lock_staff_permissions()`);
}

export async function hasPermission(
  { db }: { db: Db | Tx },
  user_id: string,
  permission: StaffPermission | readonly StaffPermission[],
): Promise<boolean> {
  const rows = await db
    .select({ permission: staff_permission.permission })
    .from(staff_permission)
    .where(
      and(eq(staff_permission.user_id, user_id), inArray(staff_permission.permission, [permission].flat())),
    );
  return rows.length > 0;
}

export async function listPermissions({ db }: { db: Db | Tx }, user_id: string): Promise<StaffPermission[]> {
  const rows = await db
    .select({ permission: staff_permission.permission })
    .from(staff_permission)
    .where(eq(staff_permission.user_id, user_id))
    .orderBy(asc(staff_permission.permission));
  return rows.map((it) => it.permission);
}

interface Permission {
  user_id: string;
  permission: StaffPermission;
}

/** Giving it again changes nothing. */
export async function givePermission(tx: Tx, ctx: AuditContext, grant: Permission): Promise<void> {
  const { actor, now } = ctx;
  const given_by_staff_id = typeof actor === 'string' ? null : actor.user_id;
  const rows = await tx
    .insert(staff_permission)
    .values({ ...grant, given_at: now(), given_by_staff_id })
    .onConflictDoNothing()
    .returning();
  if (rows.length === 0) return;
  const { user_id: subject_id, permission } = grant;
  await recordAudit(tx, ctx, { act: 'permission_given', subject_id, facts: { permission } });
}

/** Taking it again changes nothing. The database refuses to remove the last staff manager: refusingStaffRules. */
export async function takePermission(tx: Tx, ctx: AuditContext, grant: Permission): Promise<void> {
  const rows = await tx
    .delete(staff_permission)
    .where(
      and(eq(staff_permission.user_id, grant.user_id), eq(staff_permission.permission, grant.permission)),
    )
    .returning();
  if (rows.length === 0) return;
  const { user_id: subject_id, permission } = grant;
  await recordAudit(tx, ctx, { act: 'permission_taken', subject_id, facts: { permission } });
}

/** The staff with every permission; without any, those who manage staff, of whom there is always one. */
export async function listOwners(db: Db | Tx): Promise<string[]> {
  const staff = await rowsOf<{ user_id: string; held: number; manages: boolean }>(
    db,
    sql`select user_id, count(*)::integer as held, bool_or(permission = 'manage_staff') as manages
          from staff_permission group by user_id order by user_id`,
  );
  const owners = staff.filter(({ held }) => held === STAFF_PERMISSIONS.length);
  return (owners.length > 0 ? owners : staff.filter(({ manages }) => manages)).map(({ user_id }) => user_id);
}
