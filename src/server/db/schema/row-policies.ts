import { pgPolicy, sql } from '../orm.ts';

/**
 * The user id that `asMember` sets for its transaction. Null if unset, and comparing with null finds no rows. Each policy
 * repeats it: Postgres would parse a function of ours again for every statement.
 */
export const ACTOR = `nullif(current_setting('cellar_door.actor', true), '')::uuid`;

/** The id of the actor's row in customers, as a subquery. */
export const ACTORS_CUSTOMER = `(SELECT c.id FROM customers c WHERE c.user_id = ${ACTOR})`;

/**
 * Row security with one policy: members reach the rows for which the SQL condition holds, and no others
 * (docs/decisions/row-security.md). The tables' owner is not subject to it.
 */
export const ownRows = (condition: string) => pgPolicy('own_rows', { using: sql.raw(condition) });
