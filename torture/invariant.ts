/** A property of the database between transactions, after any crash, race or outage. `rule`: its section of docs/rules. */
export interface Invariant {
  name: string;
  rule: string;
  /** Must return no rows. `$zone` is the venue's time zone. */
  sql: string;
}
