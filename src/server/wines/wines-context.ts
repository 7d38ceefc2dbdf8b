import type { Db } from '../db/client.ts';
import type { Actor } from '../platform/actor.ts';

/** What the verbs of wines need. */
export interface WinesContext {
  db: Db;
  actor: Actor;
  now(): Date;
  newId(): string;
}
