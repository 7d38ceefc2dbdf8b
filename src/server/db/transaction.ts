import type { ExtractTablesWithRelations, PgDatabase, PgQueryResultHKT, PgTransaction } from './orm.ts';
import type * as schema from './schema.ts';

type Schema = typeof schema;
type Relations = ExtractTablesWithRelations<Schema>;

/** One type for both drivers; a Tx is a Db too, so verbs take either. */
export type Db = PgDatabase<PgQueryResultHKT, Schema, Relations>;
export type Tx = PgTransaction<PgQueryResultHKT, Schema, Relations>;
