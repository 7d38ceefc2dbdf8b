import { STAFF_PERMISSIONS } from '../../../domain/staff/staff-permission.ts';
import type { Db, Tx } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';

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
