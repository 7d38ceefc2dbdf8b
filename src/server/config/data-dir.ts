import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigurationError } from './config-error.ts';

const OWNER_ONLY = 0o700;
const STICKY = 0o1000;

/**
 * Creates the data folder, or restricts an existing one to its owner, because the embedded database makes its files
 * readable and writable for everyone. Throws ConfigurationError when the folder is shared, as /tmp is, or belongs to
 * another account.
 */
export function ensurePrivateDir(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  const { mode } = statSync(folder);
  if ((mode & 0o777) === OWNER_ONLY) return;
  try {
    if (mode & STICKY) throw new Error('shared');
    chmodSync(folder, OWNER_ONLY);
  } catch {
    throw new ConfigurationError([
      `DATA_DIR must be a folder that only this account can use: ${resolve(folder)} is not. Name a new folder inside it`,
    ]);
  }
}
