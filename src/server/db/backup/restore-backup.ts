import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownVersion } from '../../config/version.ts';
import { syncFolder } from '../embedded/disk.ts';
import { ageOf, DatabaseTooOldError } from '../migrate.ts';
import { BackupUnusableError, readArchive } from './archive-reader.ts';
import { type Inspection, inspectDatabase } from './inspect.ts';
import { markRestore, unmarkRestore } from './restore-mark.ts';

export interface RestoredBackup {
  made_at: Date;
  version: string;
  tables: number;
  rows: number;
  with_secrets: boolean;
  /** The folder with the previous data; null if there was none. */
  before: string | null;
}

/** The data folder is not empty, and replacing it was not requested. */
class FolderNotEmptyError extends Error {
  constructor(folder: string) {
    super(
      `${resolve(folder)} holds data already. Nothing was changed.\n` +
        '  To replace it with the backup, add --replace. The current data is kept in a folder inside it.\n' +
        '  To look at the backup first: restore it into another folder, with DATA_DIR=./other-data',
    );
    this.name = 'FolderNotEmptyError';
  }
}

/** The parts of a data folder that a backup replaces. */
const PARTS = ['db', 'secrets.json', 'sandbox'];

/**
 * Restores a backup into a data folder whose lock the caller holds. The backup is unpacked inside that folder, opened and
 * fully read before anything changes; then the previous data moves into a folder there that begins with before-restore.
 * Throws FolderNotEmptyError, DatabaseTooOldError, and BackupUnusableError for a file that is damaged, foreign, or newer
 * than this code.
 */
export async function restoreBackup(
  path: string,
  dataDir: string,
  { replace, now }: { replace: boolean; now: Date },
): Promise<RestoredBackup> {
  const held = () => PARTS.filter((it) => existsSync(join(dataDir, it)));
  if (held().length > 0 && !replace) throw new FolderNotEmptyError(dataDir);
  if (!existsSync(path)) throw new BackupUnusableError(`There is no file ${resolve(path)}.`);
  for (const leftover of readdirSync(dataDir).filter((it) => it.startsWith(UNPACKING))) {
    rmSync(join(dataDir, leftover), { recursive: true });
  }
  const folder = mkdtempSync(join(dataDir, UNPACKING));
  try {
    const { made_at, version } = await readArchive(path, folder);
    const inspection = await inspect(path, version, join(folder, 'db'));
    const parts = PARTS.filter((it) => existsSync(join(folder, it)));
    syncFolder(folder);
    markRestore(dataDir);
    const before = moveAway(dataDir, held(), parts, now);
    for (const part of parts) renameSync(join(folder, part), join(dataDir, part));
    unmarkRestore(dataDir);
    const counts = Object.values(inspection.rows);
    return {
      made_at: new Date(made_at),
      version,
      tables: counts.length,
      rows: counts.reduce((sum, it) => sum + it, 0),
      with_secrets: parts.includes('secrets.json'),
      before,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const UNPACKING = 'restoring-';

async function inspect(path: string, version: string, dataDir: string): Promise<Inspection> {
  const inspection = await inspectDatabase(dataDir).catch((error: unknown) => {
    throw new BackupUnusableError(
      `${path}, made by version ${version}, cannot be opened by version ${ownVersion()}. ` +
        'Nothing was changed. Use another backup, or the version that made it.',
      error,
    );
  });
  const age = ageOf(inspection.migrations);
  if (age === 'older') throw new DatabaseTooOldError(path);
  if (age === 'newer') {
    throw new BackupUnusableError(
      `${path} was made by version ${version}, which is newer than this one (${ownVersion()}). Nothing was changed. ` +
        'Install that version, and restore it there.',
    );
  }
  return inspection;
}

/**
 * Moves the previous data into a folder of its own; null if there is none. Secrets stay if the backup has none: they are
 * still this installation's.
 */
function moveAway(dataDir: string, names: string[], replacements: string[], now: Date): string | null {
  const parts = names.filter((it) => it !== 'secrets.json' || replacements.includes(it));
  if (parts.length === 0) return null;
  const before = join(dataDir, `before-restore-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z`);
  mkdirSync(before, { mode: 0o700 });
  for (const part of parts) renameSync(join(dataDir, part), join(before, part));
  return before;
}
