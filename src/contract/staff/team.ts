import { z } from 'zod';
import { STAFF_PERMISSIONS } from '../../domain/staff/staff-permission.ts';
import { currentPassword } from '../auth/credentials.ts';
import { id, procedure, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

const permission = z.enum(STAFF_PERMISSIONS);

const teamMember = z.object({
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  permissions: z.array(permission),
  /** Two-step sign-in is on. */
  two_factor: z.boolean(),
  /** When one of their devices last used the product, to within a day; null while none is signed in. */
  last_seen_at: timestamp.nullable(),
});
export type TeamMember = z.infer<typeof teamMember>;

export const team = {
  /** Who manages staff: all staff, by name. */
  list: procedure.route({ method: 'GET', path: '/team' }).output(z.array(teamMember)),
  /** Gives a permission, or takes it back. OWN_ACCOUNT: nobody takes `manage_staff` from themselves. */
  setPermission: procedure
    .route({ method: 'PUT', path: '/team/{user_id}/permissions/{permission}' })
    .input(z.strictObject({ user_id: id, permission, given: z.boolean() }))
    .errors(refusals('NOT_FOUND', 'OWN_ACCOUNT', 'LAST_STAFF_MANAGER'))
    .output(z.object({ permissions: z.array(permission) })),
  /** Ends the role of another, and every session of theirs at once. Their account becomes a member's. */
  remove: procedure
    .route({ method: 'DELETE', path: '/team/{user_id}' })
    .input(z.strictObject({ user_id: id }))
    .errors(refusals('NOT_FOUND', 'OWN_ACCOUNT', 'LAST_STAFF_MANAGER'))
    .output(z.object({ removed: z.literal(true) })),
  /** Ends every session of another, and removes their API clients. */
  signOut: procedure
    .route({ method: 'POST', path: '/team/{user_id}/sign-out' })
    .input(z.strictObject({ user_id: id }))
    .errors(refusals('NOT_FOUND', 'OWN_ACCOUNT'))
    .output(z.object({ sessions: z.number().int(), api_clients: z.number().int() })),
  /** Turns off two-step sign-in of another who lost phone and backup codes, and emails them. Takes one's own password. */
  resetTwoFactor: procedure
    .route({ method: 'POST', path: '/team/{user_id}/two-factor/reset' })
    .input(z.strictObject({ user_id: id, password: currentPassword }))
    .errors(refusals('NOT_FOUND', 'OWN_ACCOUNT', 'TWO_FACTOR_NOT_ENABLED', 'WRONG_PASSWORD', 'NO_PASSWORD'))
    .output(z.object({ removed: z.literal(true) })),
};
