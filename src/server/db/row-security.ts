import { sql } from './orm.ts';
import { rowsOf } from './results.ts';
import type { Db } from './transaction.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/** The database role of a member's verbs: docs/decisions/row-security.md. */
export const MEMBER_ROLE = 'cellar_door_member';

/**
 * All rights of this role; the policies in db/schema restrict the rows. The role has no rights to other tables, nor to
 * unlisted columns.
 */
export const MEMBER_GRANTS: Record<string, string[]> = {
  tier_definitions: ['select'],
  tier_rollover: ['select'],
  tier_benefit: ['select'],
  tier_benefit_number: ['select'],
  pour_rating: ['select', 'insert', 'update (verdict, comment, answered_at)'],
  member_palate: ['select', 'insert', 'update (words, ratings_since, changed_at)'],
  // Hides the bottle's cost.
  wine: [
    'select (id, name, producer, region, country, grape, vintage, color, sweetness, body, tannin, acidity, notes, state, position)',
  ],
  wine_picture: ['select'],
  profiles: ['select', 'update (name, first_name, last_name, phone, updated_at)'],
  customers: ['select'],
  memberships: ['select'],
  membership_applications: [
    'select',
    'insert',
    'update (preferences, rated, selected_tier, current_step, is_complete, updated_at)',
  ],
  paper_card: ['select', 'insert', 'update (replaced_at)'],
  wallet_pass: ['select', 'insert', 'delete'],
  pours: ['select'],
  // Hides who voided it, and why.
  pour_voids: ['select (pour_id, created_at)'],
  billing_subscription: ['select'],
  glass_grant: ['select'],
  glass_change: ['select'],
  glass_debit: ['select'],
  celebration: ['select'],
  household_seat: ['select'],
  // Hides the code's hash.
  guest_glass: [
    'select (id, customer_id, pool_id, created_at, expires_at, age_stated_at, withdrawn_at, pour_id)',
  ],
  personal_email_answer: ['select', 'insert', 'update (wanted, place, answered_at)'],
  // Hides who gave them, and why.
  given_glasses: ['select (id, customer_id, glasses, created_at)'],
  // Hides the token.
  sessions: ['select (id, user_id, user_agent, created_at, updated_at, expires_at, bar_device_id)', 'delete'],
  // Shows which sessions are of apps.
  refresh_tokens: ['select (session_id)'],
  passkeys: ['select', 'update (name)'],
  verifications: ['select (value)', 'delete'],
  known_devices: ['select (user_id, device_hash)', 'delete'],
  // Hides the token's hash.
  email_change: ['select (user_id, new_email, expires_at)', 'delete'],
  // For asking for an imported user's consent.
  imported_account: ['select'],
  // Hides which staff member set it.
  member_photo: ['select (user_id, version, content, set_at)', 'delete'],
  member_taste: ['select', 'insert', 'update'],
  // Hides the secret's hash.
  api_clients: ['select (id, user_id, name, scopes, created_at, last_used_at)', 'delete'],
  // For ending one's tablets when signing out everywhere; hides the token's hash.
  bar_device: ['select (id, name, opened_by_staff_id, ended_at)', 'update (ended_at)'],
  // Hides the browser's keys.
  push_device: ['select (id, user_id, session_id, endpoint, created_at)', 'delete'],
};

/** The database's user lacks required rights; the message says what its administrator can do. */
export class DatabaseUserError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseUserError';
  }
}

/**
 * SQL condition: the database's user may switch to a role. Since Postgres 16, creating a role does not by itself allow
 * that.
 */
const mayUse = (role: string) =>
  `pg_has_role(${role},
        case when current_setting('server_version_num')::integer < 160000 then 'MEMBER' else 'SET' end)`;

// Roles are server-wide: another database may create the same one at the same moment.
const makeRole = sql.raw(`
  do $$ begin
    if not exists (select from pg_roles where rolname = '${MEMBER_ROLE}') then
      begin
        create role ${MEMBER_ROLE} nologin;
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not ${mayUse(`'${MEMBER_ROLE}'`)} then
      begin
        grant ${MEMBER_ROLE} to current_user;
      exception when unique_violation then null;
      end;
    end if;
  end $$`);

const grants = [
  `revoke all on all tables in schema public from ${MEMBER_ROLE}`,
  `grant usage on schema public to ${MEMBER_ROLE}`,
  ...Object.entries(MEMBER_GRANTS).map(
    ([table, rights]) => `grant ${rights.join(', ')} on ${table} to ${MEMBER_ROLE}`,
  ),
];

/** MEMBER_GRANTS flattened, one right each: 'table privilege', or 'table.column privilege'. */
const WANTED_RIGHTS = Object.entries(MEMBER_GRANTS).flatMap(([table, rights]) =>
  rights.flatMap((entry) => {
    const [privilege = '', columns] = entry.replace(')', '').split(' (');
    return columns
      ? columns.split(', ').map((column) => `${table}.${column} ${privilege}`)
      : `${table} ${privilege}`;
  }),
);

/**
 * Whether the role exists with exactly these rights, and the database's user may switch to it. One query; granting
 * everything again takes many times as long.
 */
async function hasItsRights(db: Db): Promise<boolean> {
  const [state] = await rowsOf<{ ready: boolean; rights: string[] }>(
    db,
    sql`with role as (select oid from pg_roles where rolname = ${MEMBER_ROLE}),
             tables as (select oid, relname, relacl from pg_class where relnamespace = 'public'::regnamespace)
        select exists (select from role where ${sql.raw(mayUse('oid'))}
                          and has_schema_privilege(oid, 'public', 'usage')) as ready,
               array(select t.relname || ' ' || lower(a.privilege_type)
                       from tables t, aclexplode(t.relacl) a, role where a.grantee = role.oid
                     union all
                     select t.relname || '.' || c.attname || ' ' || lower(a.privilege_type)
                       from tables t join pg_attribute c on c.attrelid = t.oid and c.attacl is not null,
                            aclexplode(c.attacl) a, role
                      where a.grantee = role.oid) as rights`,
  );
  if (!state?.ready) return false;
  const rights = new Set(state.rights);
  return rights.size === WANTED_RIGHTS.length && WANTED_RIGHTS.every((it) => rights.has(it));
}

/**
 * Creates the role if needed, and grants it exactly these rights. Runs at each start, after migrating: a restored backup
 * has no roles. One process at a time. Throws DatabaseUserError.
 */
export async function ensureMemberRole(db: Db): Promise<void> {
  const [role] = await rowsOf<{ name: string; subject: boolean }>(
    db,
    sql`select current_user as name, coalesce(bool_or(row_security_active(oid)), false) as subject
          from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
  );
  if (!role) throw new Error('An aggregate returned no row');
  if (role.subject) {
    throw new DatabaseUserError(
      `The tables do not belong to the database's user "${role.name}", so it would see no rows of them. ` +
        'Connect as their owner.',
    );
  }
  if (await hasItsRights(db)) return;
  try {
    await db.execute(makeRole);
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new DatabaseUserError(
      `The database's user "${role.name}" may not make the role ${MEMBER_ROLE}, or may not take it on. ` +
        'Its administrator can settle that, once:\n' +
        `  create role ${MEMBER_ROLE} nologin;    -- unless there is one\n` +
        `  grant ${MEMBER_ROLE} to "${role.name}";`,
      error,
    );
  }
  await db.execute(sql.raw(`do $$ begin ${grants.join(';\n')}; end $$`));
}

/**
 * Runs work in a transaction that only reaches the user's own rows. The work must use only the given database, and must not
 * wait for anything outside.
 */
export function asMember<T>(db: Db, userId: string, work: (own: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(
      sql`select set_config('cellar_door.actor', ${userId}, true), set_config('role', ${MEMBER_ROLE}, true)`,
    );
    return work(tx);
  });
}

/** For verbs that must not use the database: any use throws. */
export const NO_DATABASE: Db = new Proxy({} as Db, {
  get() {
    throw new Error(
      'This verb has no database: it waits for others, and must not hold a transaction open meanwhile.',
    );
  },
});
