import type { Env } from '../../config/env.ts';
import { backupSettings } from '../../config/settings.ts';
import type { EmbeddedDatabase, OpenDatabase } from '../client.ts';
import { type Backups, createBackups, NO_BACKUPS } from './backups.ts';

/** Backups of the embedded database, with days in the current zone; a Postgres server has its own. */
export function ownBackups(
  env: Env,
  database: OpenDatabase | EmbeddedDatabase,
  { now, zone }: { now(): Date; zone: () => string },
): Backups {
  if (!('onlineCopy' in database)) return NO_BACKUPS;
  return createBackups(database.onlineCopy, backupSettings(env, zone), { now });
}
