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
  observe?: Observe | undefined;
}
