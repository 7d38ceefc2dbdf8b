import type { Db } from '../db/client.ts';
import type { ReadLagging } from '../db/replica.ts';

export interface ReportsContext {
  db: Db;
  /** For reports, which may be a few seconds old. */
  readLagging: ReadLagging;
  now(): Date;
  /** IANA name of the venue's time zone, where its days begin. */
  timeZone: string;
  /** ISO code in lowercase. */
  currency: string;
}
