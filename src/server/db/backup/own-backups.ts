import type { Env } from '../../config/env.ts';
import { backupSettings } from '../../config/settings.ts';
import type { EmbeddedDatabase, OpenDatabase } from '../client.ts';
import { type Backups, createBackups, outsideBackups } from './backups.ts';

/** Backups of the embedded database, with days in the current zone; or those of a Postgres server, in BACKUP_DIR. */
export function ownBackups(
  env: Env,
  database: OpenDatabase | EmbeddedDatabase,
  { now, zone }: { now(): Date; zone: () => string },
): Backups {
  if (!('onlineCopy' in database)) return outsideBackups(env.backupDirNamed ? env.BACKUP_DIR : null);
  return createBackups(database.onlineCopy, backupSettings(env, zone), { now });
}
