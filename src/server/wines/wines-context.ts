import type { Db } from '../db/client.ts';
import type { Actor } from '../platform/actor.ts';

export interface WinesContext {
  db: Db;
  actor: Actor;
  now(): Date;
  newId(): string;
}
