import type { Env } from '../../config/env.ts';
import { backupSettings } from '../../config/settings.ts';
import type { EmbeddedDatabase, OpenDatabase } from '../client.ts';
import { type Backups, createBackups, NO_BACKUPS } from './backups.ts';

/** The backups of the embedded database, by the day of the zone of that moment; a Postgres server has its own. */
export function ownBackups(
  env: Env,
  database: OpenDatabase | EmbeddedDatabase,
  { now, zone }: { now(): Date; zone: () => string },
): Backups {
  if (!('onlineCopy' in database)) return NO_BACKUPS;
  return createBackups(database.onlineCopy, backupSettings(env, zone), { now });
}
