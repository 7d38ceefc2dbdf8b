import { z } from 'zod';
import { STAFF_PERMISSIONS } from '../../domain/staff/staff-permission.ts';
import { DELETE, GET, id, linkToken, POST, PUT, timestamp } from '../base.ts';
import { currentPassword, email, newPassword } from '../forms/credentials.ts';
import { personName } from '../forms/person.ts';
import { refusals } from '../refusals.ts';

const permission = z.enum(STAFF_PERMISSIONS);

const teamMember = z.object({
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  permissions: z.array(permission),
  two_factor: z.boolean(),
  /** The PIN for shared tablets; wrong attempts lock it. */
  pin: z.enum(['none', 'set', 'locked']),
  /** The last use of the product on any of the person's devices, to within an hour; null while none is signed in. */
  last_seen_at: timestamp.nullable(),
});
export type TeamMember = z.infer<typeof teamMember>;

const invitation = z.object({
  id,
  email: z.string(),
  permissions: z.array(permission),
  invited_by: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
});
export type Invitation = z.infer<typeof invitation>;

export const inviteInput = z.strictObject({
  email,
  permissions: z.array(permission).max(STAFF_PERMISSIONS.length),
  /** The caller's own; not needed without permissions. */
  password: z.optional(currentPassword),
});
export const acceptInvitationInput = z.strictObject({
  token: linkToken,
  first_name: z.optional(personName),
  last_name: z.optional(personName),
  /** A new password. An account that exists loses every other way to sign in, its second step and its programs. */
  password: z.optional(newPassword),
  /** The password of the account that exists, which then keeps all of it. */
  own_password: z.optional(currentPassword),
});

export const team = {
  listInvitations: GET('/team-invitations', {
    summary: 'List invitations',
    description: 'Open ones, including expired ones, newest first.',
  }).output(z.array(invitation)),
  invite: POST('/team-invitations', {
    summary: 'Invite a colleague',
    description:
      "Emails a link to join the staff. With permissions, requires the caller's password. Replaces an invitation to the same email.",
  })
    .input(inviteInput)
    .errors(
      refusals(
        'ALREADY_STAFF',
        'INVITATION_NEEDS_EMAIL',
        'PASSWORD_REQUIRED',
        'WRONG_PASSWORD',
        'NO_PASSWORD',
      ),
    )
    .output(invitation),
  withdrawInvitation: DELETE('/team-invitations/{id}', {
    summary: 'Withdraw an invitation',
    description: 'The link stops working.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ removed: z.literal(true) })),
  readInvitation: POST('/team-invitations/read', {
    summary: 'Read an invitation',
    description:
      'What the person who follows its link must do. A POST, because tokens in URLs end up in logs.',
  })
    .input(z.strictObject({ token: linkToken }))
    .errors(refusals('LINK_INVALID', 'LINK_EXPIRED'))
    .output(
      z.object({
        email: z.string(),
        /** own password: a confirmed account exists; its password, or a new one. password: a new one. */
        needs: z.enum(['name and password', 'password', 'own password']),
      }),
    ),
  acceptInvitation: POST('/team-invitations/accept', {
    summary: 'Accept an invitation',
    description: 'Makes the account with that email a staff account. It signs nobody in.',
  })
    .input(acceptInvitationInput)
    .errors(
      refusals(
        ...(['LINK_INVALID', 'LINK_EXPIRED', 'PASSWORD_NEEDED', 'PASSWORD_COMMON'] as const),
        ...(['PASSWORD_PERSONAL', 'WRONG_PASSWORD', 'NO_PASSWORD'] as const),
      ),
    )
    .output(z.object({ email: z.string() })),
  list: GET('/team', { summary: 'List the team', description: 'All staff, by name.' }).output(
    z.array(teamMember),
  ),
  setPermission: PUT('/team/{user_id}/permissions/{permission}', {
    summary: 'Give or take a permission',
    description:
      "Giving any but `see_reports` requires the caller's password. OWN_ACCOUNT: nobody can take `manage_staff` from themselves.",
  })
    .input(
      z.strictObject({ user_id: id, permission, given: z.boolean(), password: z.optional(currentPassword) }),
    )
    .errors(
      refusals(
        'NOT_FOUND',
        'OWN_ACCOUNT',
        'LAST_STAFF_MANAGER',
        'PASSWORD_REQUIRED',
        'WRONG_PASSWORD',
        'NO_PASSWORD',
      ),
    )
    .output(z.object({ permissions: z.array(permission) })),
  remove: DELETE('/team/{user_id}', {
    summary: 'Remove a colleague',
    description:
      "Takes away their role and ends all their sessions at once. Their account becomes a member's.",
  })
    .input(z.strictObject({ user_id: id }))
    .errors(refusals('NOT_FOUND', 'OWN_ACCOUNT', 'LAST_STAFF_MANAGER'))
    .output(z.object({ removed: z.literal(true) })),
  signOut: POST('/team/{user_id}/sign-out', {
    summary: 'Sign a colleague out everywhere',
    description: 'Removes their API clients too.',
  })
    .input(z.strictObject({ user_id: id }))
    .errors(refusals('NOT_FOUND', 'OWN_ACCOUNT'))
    .output(z.object({ sessions: z.number().int(), api_clients: z.number().int() })),
  resetTwoFactor: POST('/team/{user_id}/two-factor/reset', {
    summary: "Reset a colleague's two-step sign-in",
    description:
      "For someone who lost their phone and backup codes. Emails them. Requires the caller's password.",
  })
    .input(z.strictObject({ user_id: id, password: currentPassword }))
    .errors(refusals('NOT_FOUND', 'OWN_ACCOUNT', 'TWO_FACTOR_NOT_ENABLED', 'WRONG_PASSWORD', 'NO_PASSWORD'))
    .output(z.object({ removed: z.literal(true) })),
};
