import type { Logger } from 'pino';
import type { OidcProvider } from '../config/oidc-providers.ts';
import type { Db } from '../db/client.ts';
import type { Venue } from '../mail/email.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Actor } from '../platform/actor.ts';

export interface AuthContext {
  db: Db;
  actor: Actor;
  now(): Date;
  newId(): string;
  /** 32 random bytes, base64url. */
  newSecret(): string;
  outbox: Outbox;
  venue: Venue;
  /** Providers whose accounts may be linked; empty if none is configured. */
  providers: Pick<OidcProvider, 'id' | 'label'>[];
  log: Logger;
}

export type AuthServices = Omit<AuthContext, 'actor'>;
