import type { ClubNumber } from '../../domain/club/club-settings.ts';
import type { Place } from '../../domain/club/places.ts';
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
  /** The venue's places, from memory; `refresh` reads them again. */
  club: { current(): { places: Place[] }; refresh(): Promise<void> };
  /** Passes on to the member's open pages what record_pour and void_pour return for them, once it is committed. */
  announce(announcement: string): void;
  observe?: Observe | undefined;
}

/** What reading a member's card at the bar needs too. */
export interface BarContext extends PourContext {
  club: PourContext['club'] & { current(): Record<ClubNumber, number> };
}
