import type { AuditContext } from '../audit/record-audit.ts';
import type { BillingContext } from '../billing/billing-context.ts';
import type { Db } from '../db/client.ts';
import type { member_import } from '../db/schema.ts';
import type { MailContext } from '../mail/send-email.ts';
import type { Actor } from '../platform/actor.ts';

export type ImportRecord = typeof member_import.$inferSelect;

export interface ImportContext extends AuditContext, Pick<MailContext, 'outbox' | 'venue'> {
  db: Db;
  actor: Actor;
}

export interface ImportWorker extends MailContext {
  db: Db;
  now(): Date;
  newId(): string;
  newSecret(): string;
  currency: string;
  billing: BillingContext;
}
