/**
 * A property of the database that always holds between transactions, after any crash, race or outage. A statement returns
 * the rows that violate it; `rule` is the section of docs/rules that states it.
 */
export interface Invariant {
  name: string;
  rule: string;
  /** Must return no rows. `$zone` is the venue's time zone. */
  sql: string;
}
