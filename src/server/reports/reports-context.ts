import type { Db } from '../db/client.ts';
import type { ReadLagging } from '../db/replica.ts';

export interface ReportsContext {
  db: Db;
  /** For reports, which may be a few seconds old. */
  readLagging: ReadLagging;
  now(): Date;
  /** The venue's days begin in this zone (IANA name). */
  venue: { time_zone: string };
  /** ISO code in lowercase. */
  currency: string;
}
