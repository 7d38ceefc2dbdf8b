/**
 * What is always true of the database between transactions, whatever crashed, raced or was unavailable. Each is a
 * statement that returns the rows for which it is not; `rule` is the section of docs/rules that states it.
 */
export interface Invariant {
  name: string;
  rule: string;
  /** Returns no rows. `$zone` is the venue's time zone. */
  sql: string;
}
