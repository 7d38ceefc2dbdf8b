import { CONTACT_PERMISSIONS, type StaffPermission } from '../../domain/staff/staff-permission.ts';
import type { Role } from '../platform/actor.ts';

/** The callers that may make a call, and what it may reach. docs/rules/staff.md, "Who may do what". */
export interface Policy {
  roles: readonly Role[];
  /** A permission that staff need besides their role, any one of the list; the database is asked each time. */
  permission?: StaffPermission | readonly StaffPermission[];
  /** True: staff who must set up two-step sign-in do that first. */
  twoFactor: boolean;
  /** Whether an API client's access token may make the call for its user, given the scope of the call. */
  apiClients: boolean;
  /** True for bar work: staff switched in on a shared tablet by PIN may make the call. */
  tablets?: true;
  /**
   * What a member's call reaches. 'own': the member's rows alone, in one transaction, so the verb must not wait for
   * anything outside. 'none': nothing, for verbs that wait for Stripe. 'all': the verb filters for itself.
   * Staff reach everything, except under 'none'. docs/decisions/row-security.md.
   */
  database: 'own' | 'all' | 'none';
  /**
   * Present where the verb's own statement checks the session, with Actor.remembered_session: then the call does not read
   * it first. docs/decisions/sessions.md.
   */
  session?: 'checked by the verb';
}

const member = { roles: ['customer'], twoFactor: true, apiClients: true } as const;
const staff = { roles: ['staff'], twoFactor: true, database: 'all' } as const;
const bar = { ...staff, apiClients: true, tablets: true } as const;
// Office work, done by a person, never by a program holding their access token.
const office = { ...staff, apiClients: false } as const;
const memberOrStaff = { ...member, roles: ['customer', 'staff'] } as const;
// Changes to an account are never made by a program holding an access token.
const account = { ...memberOrStaff, apiClients: false } as const;

/** Every policy by name; the row of each call names one. */
export const POLICIES = {
  member: { ...member, database: 'own' },
  memberProfile: { ...member, apiClients: false, database: 'own' },
  /** Members have no right to write consents; the verb limits itself to the actor's. */
  ownConsent: { ...member, apiClients: false, database: 'all' },
  /** A code for paper outlives every access token, so no token gets one. */
  paperCard: { ...member, apiClients: false, database: 'own' },
  /** Like paperCard, but the verb limits itself to the member's rows, because a pass is signed after its transaction. */
  walletPass: { ...member, apiClients: false, database: 'all' },
  /** Like walletPass, for a photo, which is encoded before its transaction. */
  ownPhoto: { ...member, apiClients: false, database: 'all' },
  /** Household rows belong to two members; the verbs limit themselves to the actor's household. */
  household: { ...member, apiClients: false, database: 'all' },
  signedIn: { ...memberOrStaff, tablets: true, database: 'own' },
  staff: { ...staff, apiClients: true },
  /** Work on a shared tablet: scanning, finding and viewing members, pouring, and the bottles poured from. */
  bar,
  /** The policy of the one call that the bar makes all evening. */
  pour: { ...bar, session: 'checked by the verb' },
  /** Photos, and what staff noted, are for staff facing the member, not for programs holding an access token. */
  memberInPerson: { ...staff, apiClients: false, tablets: true },
  /** Payments at the venue are taken by people, also on a shared tablet, never by programs. */
  takeDues: { ...staff, apiClients: false, tablets: true },
  /** A PIN is a way to act in its owner's name. */
  staffPin: { ...office, database: 'all' },
  /** An accountant's program may read reports, with the scope; its user still needs the permission. */
  seeReports: { ...staff, apiClients: true, permission: 'see_reports' },
  /** Like seeReports; staff who manage members see them too. */
  seeAtRisk: { ...staff, apiClients: true, permission: CONTACT_PERMISSIONS },
  /** Whole lists of names, as files. */
  exportLists: { ...office, permission: CONTACT_PERMISSIONS },
  manageMembers: { ...office, permission: 'manage_members' },
  manageMoney: { ...office, permission: 'manage_money' },
  /** Waits for Stripe. */
  moveMoney: { ...office, permission: 'manage_money', database: 'none' },
  manageStaff: { ...office, permission: 'manage_staff' },
  /** Sessions and passkeys; open to staff who have not set up two-step sign-in yet. */
  account: { ...account, twoFactor: false, database: 'own' },
  /** For calls that ask for the password, whose attempts are counted even when they are refused. */
  accountPassword: { ...account, twoFactor: false, database: 'all' },
  /** API clients, and a pending change of email. */
  ownAccount: { ...account, database: 'own' },
  /** Calls that add or remove a way to sign in, or read rows that members have no right to. */
  credentials: { ...account, database: 'all' },
  memberDevice: { ...account, roles: ['customer'], database: 'own' },
  /** A browser may have been another member's before. */
  newMemberDevice: { ...account, roles: ['customer'], database: 'all' },
  deleteAccount: { ...account, roles: ['customer'], database: 'all' },
  subscription: { ...member, database: 'none' },
  /** Only members themselves move money, never a program holding their access token. */
  payment: { ...member, apiClients: false, database: 'none' },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;

/**
 * Calls that need no session. Behind 'everyone' anyone may call; behind 'signingIn' the verb itself asks for the session,
 * or for the sign-in that waits for its second factor.
 */
export type OpenPolicy = 'everyone' | 'signingIn';
