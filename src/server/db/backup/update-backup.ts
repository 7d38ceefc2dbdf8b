import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Env } from '../../config/env.ts';
import { backupSettings } from '../../config/settings.ts';
import { ownVersion } from '../../config/version.ts';
import type { BackUpBefore } from '../client.ts';
import { syncPath } from '../embedded/disk.ts';
import { backupName } from './backup-plan.ts';
import { takeBackup } from './take-backup.ts';

const run = promisify(execFile);

/** Debian's bundle of authorities: pg_dump, unlike the driver, knows none by itself. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** The function that makes the backup before an update, into BACKUP_DIR; null if the operator makes it. */
export function updateBackup(env: Env, now: () => Date): BackUpBefore | null {
  if (!env.BACKUP_BEFORE_UPDATE) return null;
  const folder = env.BACKUP_DIR;
  return async (onlineCopy) => {
    const at = now();
    const source = { ...backupSettings(env), onlineCopy };
    const path = env.DATABASE_URL
      ? await dumpPostgres(env.DATABASE_URL, folder, backupName(at, ownVersion(), 'dump'))
      : (await takeBackup(source, folder, at, ownVersion())).path;
    deleteEarlier(folder, path);
    return path;
  };
}

/** Deletes what earlier tries of the same update have left: one that fails again and again must not fill the disk. */
function deleteEarlier(folder: string, path: string): void {
  for (const name of readdirSync(folder).filter((it) => it.includes(`Z-before-${ownVersion()}.`))) {
    if (join(folder, name) !== path) rmSync(join(folder, name), { recursive: true });
  }
}

/** Dumps a database, under a temporary name until the dump is complete, on the disk and can be listed. Returns its path. */
export async function dumpPostgres(url: string, folder: string, name: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const draft = join(folder, `.${name}.unfinished`);
  const passwords = `${draft}.passwords`;
  // Nobody else may read them, also while the dump grows.
  const write = (file: string, text: string) => writeFileSync(file, text, { mode: 0o600 });
  try {
    write(draft, '');
    write(passwords, passwordFile(url));
    const target = `--dbname=${urlForDump(url, passwords)}`;
    await run('pg_dump', ['--format=custom', `--file=${draft}`, target]);
    await run('pg_restore', ['--list', draft], { maxBuffer: 64_000_000 });
    syncPath(draft);
    renameSync(draft, path);
    syncPath(folder);
    return path;
  } catch (error) {
    throw new Error(
      `${reasonOf(error)} Install pg_dump, at least as new as the server (apt install postgresql-client), or ` +
        'make a backup yourself and start once with BACKUP_BEFORE_UPDATE=false.',
      { cause: error },
    );
  } finally {
    for (const file of [draft, passwords]) rmSync(file, { force: true });
  }
}

/** The URL as a program's argument, which every account of the computer can read: its password is in a file. */
function urlForDump(url: string, passwords: string): string {
  const target = new URL(url);
  target.password = '';
  target.searchParams.set('passfile', passwords);
  if (!target.searchParams.has('sslrootcert') && existsSync(AUTHORITIES))
    target.searchParams.set('sslrootcert', AUTHORITIES);
  return target.href;
}

/** The password for every host and database, in the form of Postgres' .pgpass. */
const passwordFile = (url: string) =>
  `*:*:*:*:${decodeURIComponent(new URL(url).password).replace(/[\\:]/g, '\\$&')}\n`;

function reasonOf(error: unknown): string {
  const { code, stderr, message } = error as { code?: unknown; stderr?: string; message?: string };
  if (code === 'ENOENT') return 'pg_dump is not installed.';
  return `pg_dump failed: ${(stderr || message || String(error)).trim().split('\n').slice(0, 2).join(' ')}`;
}
