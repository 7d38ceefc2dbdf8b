import { type Column, type SQL, sql } from '../db/orm.ts';

/** First and last name of a profile; null where a left join finds none. */
export const fullName = (person: { first_name: Column; last_name: Column }): SQL<string> =>
  sql<string>`trim(${person.first_name} || ' ' || ${person.last_name})`;

/** Ids, for an array or the arguments of a function. */
export const uuidList = (ids: string[]): SQL =>
  sql.join(
    ids.map((id) => sql`${id}::uuid`),
    sql`, `,
  );

/** An instant in a raw statement, in the API's format: UTC with milliseconds, like `toISOString`. */
export const isoInstant = (instant: SQL): SQL =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** An instant with all the digits that Postgres stores, for a cursor: a Date has no microseconds. */
export const exactInstant = (instant: SQL | Column): SQL<string> =>
  sql<string>`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
