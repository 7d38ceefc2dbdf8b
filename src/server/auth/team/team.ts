import { Refusal } from '../../../contract/refusals.ts';
import type { TeamMember } from '../../../contract/staff/team.ts';
import { isPowerful, type StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { PIN_TRIES } from '../../../domain/staff/staff-pin.ts';
import type { Db, Tx } from '../../db/client.ts';
import { asc, eq, sql } from '../../db/orm.ts';
import { profiles, sessions, staff_permission, staff_pin, user_roles } from '../../db/schema.ts';
import type { AuthContext } from '../auth-context.ts';
import { reauthenticate } from '../password/reauthenticate.ts';
import { type SignedOut, signOutUser } from '../revoke-access.ts';
import { endStaffRole, isStaff, refusingStaffRules } from '../staff-accounts.ts';
import { resetTwoFactorOf } from '../two-factor/two-factor-reset.ts';
import { givePermission, listPermissions, takePermission } from './permissions.ts';

/** The state of a PIN. `failures`: wrong attempts so far; null if no PIN is set. */
const pinState = (failures: number | null): TeamMember['pin'] =>
  failures === null ? 'none' : failures < PIN_TRIES ? 'set' : 'locked';

export async function listTeam({ db }: { db: Db }): Promise<TeamMember[]> {
  const permissions = sql<
    StaffPermission[]
  >`array(select ${staff_permission.permission} from ${staff_permission}
    where ${staff_permission.user_id} = ${profiles.id} order by 1)`;
  const lastSeen = sql<Date | null>`(select max(${sessions.updatedAt}) from ${sessions}
    where ${sessions.userId} = ${profiles.id})`.mapWith(sessions.updatedAt);
  const rows = await db
    .select({
      user_id: profiles.id,
      first_name: profiles.first_name,
      last_name: profiles.last_name,
      email: profiles.email,
      two_factor: profiles.twoFactorEnabled,
      permissions,
      seen: lastSeen,
      failed_pins: staff_pin.failed,
    })
    .from(user_roles)
    .innerJoin(profiles, eq(profiles.id, user_roles.user_id))
    .leftJoin(staff_pin, eq(staff_pin.user_id, profiles.id))
    .where(eq(user_roles.role, 'staff'))
    .orderBy(asc(profiles.first_name), asc(profiles.last_name), asc(profiles.id));
  return rows.map(({ seen: at, failed_pins, ...row }) => ({
    ...row,
    pin: pinState(failed_pins),
    last_seen_at: at?.toISOString() ?? null,
  }));
}

type TeamContext = Pick<AuthContext, 'db' | 'actor' | 'now' | 'newId' | 'outbox' | 'venue'>;
type Colleague = { user_id: string };
type PermissionChange = Colleague & { permission: StaffPermission; given: boolean; password?: string };

/** Throws Refusal OWN_ACCOUNT for the actor, NOT_FOUND if the user is not staff. */
async function assertColleague(tx: Tx, { actor }: TeamContext, user_id: string): Promise<void> {
  if (user_id === actor.user_id) throw new Refusal('OWN_ACCOUNT');
  if (!(await isStaff(tx, user_id))) throw new Refusal('NOT_FOUND', { what: 'staff' });
}

/**
 * Gives a permission to a staff member, or takes it back; doing it again changes nothing. Giving a powerful one requires
 * the actor's password. Throws what reauthenticate throws, and Refusal PASSWORD_REQUIRED, NOT_FOUND, LAST_STAFF_MANAGER, and
 * OWN_ACCOUNT for taking `manage_staff` from oneself.
 */
export async function setPermission(
  ctx: TeamContext,
  { user_id, permission, given, password }: PermissionChange,
): Promise<{ permissions: StaffPermission[] }> {
  const endsOwn = !given && permission === 'manage_staff' && user_id === ctx.actor.user_id;
  if (endsOwn) throw new Refusal('OWN_ACCOUNT');
  if (given && isPowerful(permission)) {
    if (password === undefined) throw new Refusal('PASSWORD_REQUIRED');
    await reauthenticate(ctx, ctx.actor.user_id, password);
  }
  return refusingStaffRules(() =>
    ctx.db.transaction(async (tx) => {
      if (!(await isStaff(tx, user_id))) throw new Refusal('NOT_FOUND', { what: 'staff' });
      await (given ? givePermission : takePermission)(tx, ctx, { user_id, permission });
      return { permissions: await listPermissions({ db: tx }, user_id) };
    }),
  );
}

/**
 * Ends a colleague's role, and what REVOKED names for that. The account stays, as a customer's, and so does their name on
 * past records. Throws Refusal NOT_FOUND, OWN_ACCOUNT, LAST_STAFF_MANAGER.
 */
export async function removeFromTeam(ctx: TeamContext, { user_id }: Colleague): Promise<{ removed: true }> {
  return refusingStaffRules(() =>
    ctx.db.transaction(async (tx) => {
      await assertColleague(tx, ctx, user_id);
      await endStaffRole(tx, ctx, user_id);
      return { removed: true as const };
    }),
  );
}

/** Signs a colleague out everywhere, as REVOKED says. Throws Refusal NOT_FOUND, OWN_ACCOUNT. */
export async function signOutColleague(ctx: TeamContext, { user_id }: Colleague): Promise<SignedOut> {
  return ctx.db.transaction(async (tx) => {
    await assertColleague(tx, ctx, user_id);
    return signOutUser(tx, ctx, user_id);
  });
}

/**
 * Turns a colleague's two-step sign-in off, ends their sessions and emails them. Requires the actor's password, because it
 * weakens the account. Throws what reauthenticate throws, and Refusal NOT_FOUND, OWN_ACCOUNT, TWO_FACTOR_NOT_ENABLED.
 */
export async function resetColleagueTwoFactor(
  ctx: TeamContext,
  { user_id, password }: Colleague & { password: string },
): Promise<{ removed: true }> {
  await reauthenticate(ctx, ctx.actor.user_id, password);
  return ctx.db.transaction(async (tx) => {
    await assertColleague(tx, ctx, user_id);
    const isRemoved = await resetTwoFactorOf(tx, ctx, { id: user_id, role: 'staff' });
    if (!isRemoved) throw new Refusal('TWO_FACTOR_NOT_ENABLED');
    return { removed: true };
  });
}
