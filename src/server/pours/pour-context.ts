import type { ClubNumber, ClubSettings } from '../../domain/club/club-settings.ts';
import type { Db } from '../db/client.ts';
import type { Actor } from '../platform/actor.ts';
import type { Observe } from '../platform/observe.ts';

/** What the verbs of pours need. */
export interface PourContext {
  db: Db;
  actor: Actor;
  now(): Date;
  newId(): string;
  /** IANA name of the zone in which the venue's days begin. */
  timeZone: string;
  /** The club's settings of this moment, from memory; `refresh` reads them again. */
  club: { current(): Pick<ClubSettings, 'places' | ClubNumber>; refresh(): Promise<void> };
  /** Passes on to the member's open pages what record_pour and void_pour return for them, once it is committed. */
  announce(announcement: string): void;
  observe?: Observe | undefined;
}
