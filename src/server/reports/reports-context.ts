import type { Db } from '../db/client.ts';
import type { ReadLagging } from '../db/replica.ts';

/** What the verbs of reports need. */
export interface ReportsContext {
  db: Db;
  /** Reports may be a few seconds old; what is live may not. */
  readLagging: ReadLagging;
  now(): Date;
  /** IANA name of the zone in which the venue's days begin. */
  timeZone: string;
  /** ISO code in lowercase. */
  currency: string;
}
