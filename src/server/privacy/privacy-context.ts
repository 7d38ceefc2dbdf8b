import type { Logger } from 'pino';
import type { BillingContext } from '../billing/billing-context.ts';
import type { Db } from '../db/client.ts';
import type { Venue } from '../mail/email.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Actor } from '../platform/actor.ts';

export interface PrivacyContext {
  db: Db;
  actor: Actor;
  now(): Date;
  newId(): string;
  billing: BillingContext;
  outbox: Outbox;
  venue: Venue;
  log: Logger;
}

export type ErasureContext = Omit<PrivacyContext, 'actor'>;
