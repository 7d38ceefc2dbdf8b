import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ownVersion } from '../../config/version.ts';
import { syncPath } from '../embedded/disk.ts';
import type { OnlineCopy } from '../embedded/online-copy.ts';
import { CONTENT_NAME, MANIFEST_NAME, type Manifest, readArchive } from './archive-reader.ts';
import { type ArchiveWriter, writeArchive } from './archive-writer.ts';
import { backupMadeAt, backupName } from './backup-plan.ts';
import { type Inspection, inspectBeside } from './inspect.ts';

export interface BackupSource {
  dataDir: string;
  /** The database that this process has open; null if no process has. */
  onlineCopy: OnlineCopy | null;
  /**
   * Includes the generated secrets (secrets.json), without which sessions and second factors of the copy are lost; false if
   * AUTH_SECRET is set, so that a stolen backup opens nothing.
   */
  withSecrets: boolean;
}

export interface MadeBackup {
  path: string;
  at: Date;
  bytes: number;
  tables: number;
  rows: number;
  with_secrets: boolean;
}

/** The backup cannot be opened again; it was deleted. */
class BackupCheckError extends Error {
  override name = 'BackupCheckError';
}

/**
 * Writes a backup into a folder, under a temporary name until it is complete, synced and checked: unpacked, opened by the
 * engine, and every row read. Throws if that fails, leaving nothing behind. `before`: as for backupName.
 */
export async function takeBackup(
  source: BackupSource,
  folder: string,
  at: Date,
  before?: string,
): Promise<MadeBackup> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, backupName(at, before));
  if (existsSync(path)) throw new Error(`${path} exists already`);
  const draft = join(folder, `.${basename(path)}.unfinished`);
  const checkFolder = `${draft}.check`;
  const clear = () => {
    for (const path of [draft, checkFolder]) rmSync(path, { recursive: true, force: true });
  };
  for (const leftover of leftovers(folder, at))
    rmSync(join(folder, leftover), { recursive: true, force: true });
  clear();
  try {
    const bytes = await writeArchive(draft, (archive) => addContent(archive, source, at));
    const { rows } = await checkBackup(draft, checkFolder);
    renameSync(draft, path);
    syncPath(folder);
    const counts = Object.values(rows);
    return {
      path,
      at,
      bytes,
      tables: counts.length,
      rows: counts.reduce((sum, it) => sum + it, 0),
      with_secrets: source.withSecrets && existsSync(join(source.dataDir, SECRETS)),
    };
  } finally {
    clear();
  }
}

const DAY_MS = 86_400_000;

/** What backups begun more than a day ago have left, as after a power failure. */
function leftovers(folder: string, now: Date): string[] {
  return readdirSync(folder).filter((name) => {
    const [, backup = ''] = /^\.(.+)\.unfinished(?:\.check)?$/.exec(name) ?? [];
    const startedAt = backupMadeAt(backup);
    return startedAt !== null && startedAt.getTime() < now.getTime() - DAY_MS;
  });
}

const SECRETS = 'secrets.json';
const LOG_FOLDER = 'pg_wal';
const LOG_FILE = /^[0-9A-F]{24}$/;

/** Files that the engine recreates at each start, or that show it is running. */
const NOT_COPIED =
  /^(?:postmaster\.\w+|(?:pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+)$/;

async function addContent(archive: ArchiveWriter, source: BackupSource, at: Date): Promise<void> {
  const { dataDir, onlineCopy, withSecrets } = source;
  const manifest: Manifest = {
    product: 'cellar-door',
    format: 1,
    version: ownVersion(),
    made_at: at.toISOString(),
  };
  await archive.addText(MANIFEST_NAME, JSON.stringify(manifest));
  if (withSecrets) await archive.addFile(`${CONTENT_NAME}/${SECRETS}`, join(dataDir, SECRETS));
  // The demo's payment service keeps its own state there.
  const sandbox = join(dataDir, 'sandbox');
  if (existsSync(sandbox)) await archive.addFolder(`${CONTENT_NAME}/sandbox`, sandbox);
  const database = { from: join(dataDir, 'db'), to: `${CONTENT_NAME}/db` };
  await (onlineCopy ? addRunning(archive, onlineCopy, database) : addStopped(archive, database));
}

interface Copied {
  from: string;
  to: string;
}

/** Copies everything, with the whole log: the engine recovers as after a crash. */
function addStopped(archive: ArchiveWriter, { from, to }: Copied): Promise<void> {
  return archive.addFolder(to, from, (path) => NOT_COPIED.test(path));
}

async function addRunning(archive: ArchiveWriter, copy: OnlineCopy, { from, to }: Copied): Promise<void> {
  const skip = (path: string) => NOT_COPIED.test(path) || path.startsWith(`${LOG_FOLDER}/`);
  await copy.begin();
  let end: Awaited<ReturnType<OnlineCopy['end']>>;
  try {
    await archive.addFolder(to, from, skip);
  } finally {
    // Also after a failure: the engine allows one copy at a time.
    end = await copy.end();
  }
  await archive.addText(`${to}/backup_label`, end.label);
  await archive.addFolder(`${to}/${LOG_FOLDER}`, join(from, LOG_FOLDER), (name) => {
    return !LOG_FILE.test(name) || name < end.firstLog || name > end.lastLog;
  });
}

async function checkBackup(archive: string, folder: string): Promise<Inspection> {
  mkdirSync(folder, { mode: 0o700 });
  await readArchive(archive, folder);
  const inspection = await inspectBeside(join(folder, 'db')).catch((error: unknown) => {
    throw new BackupCheckError('The backup could not be opened again, and was deleted', { cause: error });
  });
  rmSync(folder, { recursive: true });
  return inspection;
}
