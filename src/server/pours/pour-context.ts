import type { ClubNumber, ClubSettings } from '../../domain/club/club-settings.ts';
import type { Db } from '../db/client.ts';
import type { Venue } from '../mail/email.ts';
import type { Actor } from '../platform/actor.ts';
import type { Observe } from '../platform/observe.ts';

export interface PourContext {
  db: Db;
  actor: Actor;
  now(): Date;
  newId(): string;
  venue: Venue;
  /** The club's current settings, cached; `refresh` reads them again. */
  club: { current(): Pick<ClubSettings, 'places' | ClubNumber>; refresh(): Promise<void> };
  /** Sends the member's open pages the announcement from record_pour or void_pour, after the commit. */
  announce(announcement: string): void;
  observe?: Observe | undefined;
}
