import type { AuditContext } from '../audit/record-audit.ts';
import type { Db } from '../db/client.ts';
import type { Actor } from '../platform/actor.ts';
import type { WebhookNetwork } from './webhook-network.ts';

export interface WebhookContext extends AuditContext {
  db: Db;
  actor: Actor;
  /** 32 random bytes, base64url. */
  newSecret(): string;
  webhookKey: Buffer;
  webhookNetwork: WebhookNetwork;
}
