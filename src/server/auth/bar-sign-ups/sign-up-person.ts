import { isProven } from '../../../domain/account-proof.ts';
import { type KnownPerson, knownAs } from '../../../domain/staff/bar-sign-up.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, sql } from '../../db/orm.ts';
import {
  accounts,
  customers,
  membership_applications,
  passkeys,
  profiles,
  sessions,
  user_roles,
} from '../../db/schema.ts';
import { onRecord } from '../../membership/on-record.ts';
import type { AuthContext } from '../auth-context.ts';
import { emailFirstPassword } from '../password/password-reset.ts';
import { endUnprovenAccess } from '../staff-accounts.ts';

export interface FoundPerson {
  user_id: string;
  first_name: string;
  last_name: string;
  email: string;
  customer_id: string | null;
  known_as: KnownPerson;
  on_record: boolean;
}

export type PersonKey = { email: string } | { user_id: string };

/** The person with that email (in lowercase) or id; null if there is none or the account was deleted. */
export async function personOf(db: Db | Tx, key: PersonKey): Promise<FoundPerson | null> {
  const [row] = await db
    .select({
      profile: profiles,
      role: user_roles.role,
      customer: customers,
      on_record: onRecord(sql`${profiles.id}`),
    })
    .from(profiles)
    .innerJoin(user_roles, eq(user_roles.user_id, profiles.id))
    .leftJoin(customers, eq(customers.user_id, profiles.id))
    .where('email' in key ? eq(profiles.email, key.email) : eq(profiles.id, key.user_id));
  if (!row || row.profile.erased_at) return null;
  const { id: user_id, first_name, last_name, email } = row.profile;
  const isApplicant =
    (await db.$count(
      membership_applications,
      and(eq(membership_applications.user_id, user_id), eq(membership_applications.status, 'pending')),
    )) > 0;
  const known_as = knownAs({ role: row.role, customer: row.customer?.status ?? null, applies: isApplicant });
  return {
    user_id,
    first_name,
    last_name,
    email,
    customer_id: row.customer?.id ?? null,
    known_as,
    on_record: row.on_record,
  };
}

/** Whether signing up ends the ways to sign in, if there are any. Without a mail server nobody could choose a new password. */
export const losesPassword = (
  { outbox }: Pick<AuthContext, 'outbox'>,
  { on_record }: Pick<FoundPerson, 'on_record'>,
): boolean => outbox.sends && !isProven({ has_access: true, on_record });

/** Creates an account that nobody can sign in to yet. Throws the database's error if the email has an account. */
export async function createPerson(
  { now, newId }: Pick<AuthContext, 'now' | 'newId'>,
  tx: Tx,
  { email, first_name, last_name }: { email: string; first_name: string; last_name: string },
): Promise<string> {
  const id = newId();
  const times = { createdAt: now(), updatedAt: now() };
  const name = `${first_name} ${last_name}`;
  await tx.insert(profiles).values({ id, name, email, first_name, last_name, ...times });
  return id;
}

/**
 * Emails a link to choose a password if no way to sign in is proven. Returns whether the account was taken from its
 * maker.
 */
export async function inviteToSignIn(
  ctx: AuthContext,
  tx: Tx,
  person: Pick<FoundPerson, 'user_id' | 'on_record'>,
): Promise<'taken_over' | 'found'> {
  const { user_id } = person;
  // The maker of an account without a password is signed in.
  const ways =
    (await tx.$count(accounts, eq(accounts.userId, user_id))) +
    (await tx.$count(passkeys, eq(passkeys.userId, user_id))) +
    (await tx.$count(sessions, eq(sessions.userId, user_id)));
  const isUnproven = ways > 0 && losesPassword(ctx, person);
  if (ways > 0 && !isUnproven) return 'found';
  if (isUnproven) await endUnprovenAccess(tx, user_id);
  await emailFirstPassword(ctx, tx, user_id, 'first_password');
  return isUnproven ? 'taken_over' : 'found';
}
