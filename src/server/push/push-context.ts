import type { Db } from '../db/client.ts';
import type { Actor } from '../platform/actor.ts';
import type { PushOutbox } from './push-outbox.ts';

export interface PushContext {
  db: Db;
  push: PushOutbox;
  now(): Date;
  newId(): string;
  actor: Actor & { session_id: string };
}
