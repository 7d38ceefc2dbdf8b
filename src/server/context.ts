import type { Logger } from 'pino';
import type { Billing } from './billing/index.ts';
import type { CardKey } from './card.ts';
import type { Db } from './db/client.ts';

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
  /** IANA name of the zone in which the venue's days begin. */
  timeZone: string;
  cardKey: CardKey;
  billing: Billing;
  log: Logger;
}

/** Services, and the signed-in person a verb acts for. */
export interface Ctx extends Services {
  actor: Actor;
}
