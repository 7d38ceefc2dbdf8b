import { type AuditContext, COMMAND_LINE, recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, eq, isNull, ne, sql } from '../db/orm.ts';
import {
  accounts,
  api_clients,
  bar_device,
  email_change,
  known_devices,
  passkeys,
  profiles,
  push_device,
  sessions,
  staff_pin,
  verifications,
} from '../db/schema.ts';

/** Access tokens end with their API client or session, and refresh tokens with their session. */
export const ACCESS = [
  'sessions',
  'pending',
  'api_clients',
  'passkeys',
  'linked_accounts',
  'known_devices',
  'push_devices',
  'bar_devices',
  'pin',
] as const;
export type Access = (typeof ACCESS)[number];

/**
 * The access that ends, by cause: docs/rules/accounts.md, "Revoking access". `pending` stands for trusted devices, sign-ins
 * that wait for their second step, and open links to a new password or a new email. `known_devices`:
 * auth/known-devices.ts. `push_devices` get the account's notifications. `bar_devices` are the shared tablets that
 * the user opened, with the staff who work there; their own work on any tablet is a session.
 */
export const REVOKED = {
  password_reset: ACCESS,
  password_changed: ['sessions', 'pending', 'api_clients', 'known_devices', 'push_devices', 'bar_devices'],
  email_changed: ['sessions', 'pending', 'api_clients', 'known_devices', 'push_devices', 'bar_devices'],
  signed_out_everywhere: [
    'sessions',
    'pending',
    'api_clients',
    'known_devices',
    'push_devices',
    'bar_devices',
  ],
  sessions_ended: ['sessions', 'push_devices'],
  role_removed: ['sessions', 'api_clients', 'push_devices', 'bar_devices', 'pin'],
  two_factor_reset: ['sessions', 'pending', 'push_devices'],
  email_taken_over: ACCESS,
  account_deleted: ACCESS,
} as const satisfies Record<string, readonly Access[]>;
type RevocationCause = keyof typeof REVOKED;

interface Revocation {
  user_id: string;
  cause: RevocationCause;
  /** The session that makes the change, and the hash of its device, if known: neither is revoked. */
  except?: { session: string; device: string | null };
}

export type Revoked = Record<'sessions' | 'api_clients' | 'passkeys', number>;

type Tables = Record<Access, (tx: Db | Tx, user_id: string, except: Revocation['except']) => Promise<number>>;

const END: Tables = {
  async sessions(tx, user_id, except) {
    const filter = eq(sessions.userId, user_id);
    const condition = except ? and(filter, ne(sessions.id, except.session)) : filter;
    return (await tx.delete(sessions).where(condition).returning({ id: sessions.id })).length;
  },
  async pending(tx, user_id) {
    await tx.delete(verifications).where(eq(verifications.value, user_id));
    await tx.delete(email_change).where(eq(email_change.user_id, user_id));
    return 0;
  },
  async api_clients(tx, user_id) {
    const filter = eq(api_clients.user_id, user_id);
    return (await tx.delete(api_clients).where(filter).returning({ id: api_clients.id })).length;
  },
  async passkeys(tx, user_id) {
    const filter = eq(passkeys.userId, user_id);
    return (await tx.delete(passkeys).where(filter).returning({ id: passkeys.id })).length;
  },
  async linked_accounts(tx, user_id) {
    await tx.delete(accounts).where(and(eq(accounts.userId, user_id), ne(accounts.providerId, 'credential')));
    return 0;
  },
  async known_devices(tx, user_id, except) {
    const filter = eq(known_devices.user_id, user_id);
    const device = except?.device;
    await tx
      .delete(known_devices)
      .where(device ? and(filter, ne(known_devices.device_hash, device)) : filter);
    return 0;
  },
  async push_devices(tx, user_id, except) {
    const filter = eq(push_device.user_id, user_id);
    await tx
      .delete(push_device)
      .where(except ? and(filter, ne(push_device.session_id, except.session)) : filter);
    return 0;
  },
  async bar_devices(tx, user_id) {
    const filter = and(eq(bar_device.opened_by_staff_id, user_id), isNull(bar_device.ended_at));
    const rows = await tx
      .update(bar_device)
      .set({ ended_at: sql`now()` })
      .where(filter)
      .returning({ id: bar_device.id });
    for (const { id } of rows) await tx.delete(sessions).where(eq(sessions.bar_device_id, id));
    return rows.length;
  },
  async pin(tx, user_id) {
    await tx.delete(staff_pin).where(eq(staff_pin.user_id, user_id));
    return 0;
  },
};

/** Ends what REVOKED names for the cause. Triggers do the same when a role changes or a second factor is deleted. */
export async function revokeAccess(tx: Db | Tx, { user_id, cause, except }: Revocation): Promise<Revoked> {
  const counts: Revoked = { sessions: 0, api_clients: 0, passkeys: 0 };
  // Lock order of erasure: the profile before the rows that are deleted here.
  await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, user_id)).for('no key update');
  for (const access of REVOKED[cause]) {
    const count = await END[access](tx, user_id, except);
    if (access in counts) counts[access as keyof Revoked] = count;
  }
  return counts;
}

export type SignedOut = Pick<Revoked, 'sessions' | 'api_clients'>;

/**
 * Ends what REVOKED names for `signed_out_everywhere`; password, passkeys and linked accounts stay. Null if no account has
 * this email. The operator's command is scripts/commands/staff.ts.
 */
export async function signOutEverywhere(
  ctx: Omit<AuditContext, 'actor'> & { db: Db },
  email: string,
): Promise<SignedOut | null> {
  return ctx.db.transaction(async (tx) => {
    const user_id = await userOfEmail(tx, email);
    return user_id === null ? null : signOutUser(tx, { ...ctx, actor: COMMAND_LINE }, user_id);
  });
}

/** The user with an email, however it was typed; null if there is none. */
export async function userOfEmail(tx: Tx, email: string): Promise<string | null> {
  const { id } = profiles;
  const [user] = await tx.select({ id }).from(profiles).where(eq(profiles.email, email.trim().toLowerCase()));
  return user?.id ?? null;
}

export async function signOutUser(tx: Tx, ctx: AuditContext, user_id: string): Promise<SignedOut> {
  const counts = await revokeAccess(tx, { user_id, cause: 'signed_out_everywhere' });
  const facts = { sessions: counts.sessions, api_clients: counts.api_clients };
  await recordAudit(tx, ctx, { act: 'signed_out_everywhere', subject_id: user_id, facts });
  return facts;
}
