import { asc, eq, sql } from 'drizzle-orm';
import type { TeamMember } from '../../../contract/staff/team.ts';
import type { StaffPermission } from '../../../domain/staff-permission.ts';
import type { Db } from '../../db/client.ts';
import { profiles, sessions, staff_permission, user_roles } from '../../db/schema.ts';

/** All staff, by name. */
export async function listTeam({ db }: { db: Db }): Promise<TeamMember[]> {
  const permissions = sql<
    StaffPermission[]
  >`array(select ${staff_permission.permission} from ${staff_permission}
    where ${staff_permission.user_id} = ${profiles.id} order by 1)`;
  const seen = sql<Date | null>`(select max(${sessions.updatedAt}) from ${sessions}
    where ${sessions.userId} = ${profiles.id})`.mapWith(sessions.updatedAt);
  const rows = await db
    .select({
      user_id: profiles.id,
      first_name: profiles.first_name,
      last_name: profiles.last_name,
      email: profiles.email,
      two_factor: profiles.twoFactorEnabled,
      permissions,
      seen,
    })
    .from(user_roles)
    .innerJoin(profiles, eq(profiles.id, user_roles.user_id))
    .where(eq(user_roles.role, 'staff'))
    .orderBy(asc(profiles.first_name), asc(profiles.last_name), asc(profiles.id));
  return rows.map(({ seen: at, ...row }) => ({ ...row, last_seen_at: at?.toISOString() ?? null }));
}
