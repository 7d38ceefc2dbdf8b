import type { Client } from 'pg';

const OLDEST_POSTGRES = 15;

/** A database on a Postgres server that cannot be this club's; the message says which one would. Nothing was changed. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError';
}

interface Facts {
  version: string;
  name: string;
  user: string;
  encoding: string;
  standby: boolean;
  read_only: boolean;
  ours: boolean;
  foreign_table: string | null;
  may_create: boolean;
  owner: string;
  other_owner: string | null;
}

// Tables, views and sequences of extensions, such as pg_stat_statements, belong to no program.
const FACTS = `
  select current_setting('server_version') as version, current_database() as name, current_user as user,
         current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby,
         current_setting('transaction_read_only') = 'on' as read_only,
         -- to_regclass would fail without rights on the schema.
         exists (select from pg_class t join pg_namespace n on n.oid = t.relnamespace
                  where n.nspname = 'drizzle' and t.relname = '__drizzle_migrations') as ours,
         (select c.relname from pg_class c
           where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p', 'v', 'm', 'S')
             and not exists (select from pg_depend d
                              where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
           order by 1 limit 1) as foreign_table,
         has_database_privilege(current_database(), 'create')
           and coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'create'), false) as may_create,
         (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner,
         (select pg_get_userbyid(relowner) from pg_class
           where relnamespace = to_regnamespace('public') and relname = 'profiles'
             and not pg_has_role(relowner, 'USAGE')) as other_owner`;

/**
 * Throws DatabaseUnusableError for a database that this club cannot use: another encoding, too old a server, a standby,
 * another program's tables, or a user without the rights. Reads only. Returns the server's version.
 */
export async function assertUsablePostgres(client: Pick<Client, 'query'>): Promise<string> {
  const { rows } = await client.query<Facts>(FACTS);
  const facts = rows[0];
  if (!facts) throw new Error('A select without a table returned no row');
  const problem = problemOf(facts);
  if (problem) throw new DatabaseUnusableError(`${problem} Nothing was changed.`);
  return facts.version;
}

function problemOf(server: Facts): string | null {
  const database = `The database "${server.name}" of DATABASE_URL`;
  if (Number.parseInt(server.version, 10) < OLDEST_POSTGRES)
    return `${database} is on Postgres ${server.version}: use a server of version ${OLDEST_POSTGRES} or later.`;
  if (server.encoding !== 'UTF8') {
    return `${database} has the encoding ${server.encoding}, which cannot hold every name: make one with create database cellardoor encoding 'UTF8' template template0, and name that.`;
  }
  if (server.standby) return `${database} is on a standby, which only reads: name the primary server.`;
  if (server.read_only)
    return `${database} only reads (default_transaction_read_only): turn that off for its user "${server.user}".`;
  if (!server.ours && server.foreign_table)
    return `${database} holds tables of something else (${server.foreign_table}): name an empty database.`;
  if (server.other_owner)
    return `The tables do not belong to the database's user "${server.user}": connect as their owner "${server.other_owner}".`;
  if (!server.ours && !server.may_create) {
    return `The database's user "${server.user}" may not create tables in "${server.name}", which belongs to "${server.owner}": connect as that user, or have it run alter database "${server.name}" owner to "${server.user}", and in the database grant create on schema public to "${server.user}".`;
  }
  return null;
}
