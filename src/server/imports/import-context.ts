import type { AuditContext } from '../audit/record-audit.ts';
import type { BillingAdoption } from '../billing/adoption/index.ts';
import type { Db } from '../db/client.ts';
import type { member_import } from '../db/schema.ts';
import type { MailContext } from '../mail/send-email.ts';
import type { Actor } from '../platform/actor.ts';

export type ImportRecord = typeof member_import.$inferSelect;

/** What the verbs of imports need. */
export interface ImportContext extends AuditContext, Pick<MailContext, 'outbox'> {
  db: Db;
  actor: Actor;
  /** IANA name of the zone in which the venue's days begin. */
  timeZone: string;
}

/** What the work behind them needs, which no request waits for. */
export interface ImportWorker extends MailContext {
  db: Db;
  now(): Date;
  newId(): string;
  newSecret(): string;
  timeZone: string;
  /** Of the venue's prices. */
  currency: string;
  billing: { adoption: BillingAdoption };
}
