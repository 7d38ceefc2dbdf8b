import type { Logger } from 'pino';
import type { Billing } from './billing/index.ts';
import type { CardKey } from './card/card-token.ts';
import type { OidcProvider } from './config/oidc-providers.ts';
import type { Db } from './db/client.ts';
import type { Venue } from './mail/email.ts';
import type { Outbox } from './mail/outbox.ts';
import type { SummaryWriter } from './summary/model.ts';

/** Who is asking, from the session alone. */
export interface Actor {
  user_id: string;
  role: 'customer' | 'staff' | null;
}

/** What every verb may use; composed in main.ts, replaced whole in tests. */
export interface Services {
  db: Db;
  /** The only clock. */
  now(): Date;
  /** The only source of ids: UUIDv7. */
  newId(): string;
  /** 32 random bytes, base64url. */
  newSecret(): string;
  /** IANA name of the zone in which the venue's days begin. */
  timeZone: string;
  cardKey: CardKey;
  billing: Billing;
  outbox: Outbox;
  venue: Venue;
  /** Whose accounts may be linked to a person's; empty where none is configured. */
  providers: Pick<OidcProvider, 'id' | 'label'>[];
  /** Null where no language model is configured. */
  summaries: SummaryWriter | null;
  log: Logger;
}

/** Services, and the signed-in person a verb acts for. */
export interface Ctx extends Services {
  actor: Actor;
}
