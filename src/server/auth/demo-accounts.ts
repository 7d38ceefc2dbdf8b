import { ConfigurationError } from '../config/config-error.ts';
import type { Db } from '../db/client.ts';
import { and, eq, like } from '../db/orm.ts';
import { accounts, profiles, user_roles } from '../db/schema.ts';
import { verifyPassword } from './password/hash.ts';

export const DEMO_ACCOUNTS = {
  staff: 'staff@demo.test',
  bartender: 'bartender@demo.test',
  member: 'member@demo.test',
};
export const DEMO_PASSWORD = 'cellar-door-demo';

/**
 * The demo's accounts that would be open to everyone on a real installation: staff, or confirmed with the published
 * password. A visitor who registers such an address cannot confirm it, and so cannot block a start.
 */
export async function findDemoAccounts(db: Db): Promise<string[]> {
  const rows = await db
    .select({
      email: profiles.email,
      confirmed: profiles.emailVerified,
      role: user_roles.role,
      password: accounts.password,
    })
    .from(profiles)
    .innerJoin(user_roles, eq(user_roles.user_id, profiles.id))
    .leftJoin(accounts, and(eq(accounts.userId, profiles.id), eq(accounts.providerId, 'credential')))
    .where(like(profiles.email, '%@demo.test'))
    .orderBy(profiles.email);
  const emails: string[] = [];
  for (const { email, confirmed, role, password } of rows) {
    const published = async () => confirmed && password !== null && verifyPassword(password, DEMO_PASSWORD);
    if (role === 'staff' || (await published())) emails.push(email);
  }
  return emails;
}

/** Throws ConfigurationError while the database has accounts that everyone can sign in to. */
export async function assertNoDemoAccounts(db: Db): Promise<void> {
  const emails = await findDemoAccounts(db);
  if (emails.length === 0) return;
  throw new ConfigurationError([
    `the database has the demo’s accounts, whose password is public: ${emails.join(', ')}`,
    'Give the real installation its own: a new DATA_DIR, or a new database in DATABASE_URL.',
    'To keep this one, first close them: docs/run/trouble.md, "When something is wrong".',
  ]);
}
