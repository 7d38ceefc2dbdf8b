import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigurationError } from './config-error.ts';

const OWNER_ONLY = 0o700;
const STICKY = 0o1000;

/** Codes of Node for a folder that cannot be used, with the reason as the end of a sentence. */
const REASONS: Record<string, string> = {
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'its disk is mounted read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its path is too long',
  ENOENT: 'it leads to a link or disk that is not there',
  EIO: 'its disk fails',
};

/** The folder cannot be used, in words: to throw for a failed write into it. Null for another error, as of a full disk. */
export function unusableFolder(folder: string, code: string | undefined): ConfigurationError | null {
  const reason = REASONS[code ?? ''];
  return (
    (reason &&
      new ConfigurationError([
        `DATA_DIR cannot be used: ${resolve(folder)} is no folder to write to, because ${reason}. Give it to this account, or name another`,
      ])) ||
    null
  );
}

/**
 * Creates the data folder, or restricts an existing one to its owner, because the embedded database makes its files
 * readable and writable for everyone. Throws ConfigurationError when it cannot be written to, is shared, as /tmp is, or
 * belongs to another account.
 */
export function ensurePrivateDir(folder: string): void {
  let mode: number;
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
    ({ mode } = statSync(folder));
  } catch (error) {
    throw unusableFolder(folder, (error as NodeJS.ErrnoException).code) ?? error;
  }
  if ((mode & 0o777) !== OWNER_ONLY) restrict(folder, mode);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableFolder(folder, (error as NodeJS.ErrnoException).code) ?? error;
  }
}

function restrict(folder: string, mode: number): void {
  try {
    if (mode & STICKY) throw new Error('shared');
    chmodSync(folder, OWNER_ONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') throw unusableFolder(folder, code) ?? error;
    throw new ConfigurationError([
      `DATA_DIR must be a folder that only this account can use: ${resolve(folder)} is not. Name a new folder inside it`,
    ]);
  }
}
