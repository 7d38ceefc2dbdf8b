import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigurationError } from './config-error.ts';

const OWNER_ALONE = 0o700;
const STICKY = 0o1000;

/**
 * Makes the data folder, or takes one that exists, for its owner alone: the embedded database makes its files
 * readable and writable for everybody who reaches them. Throws ConfigurationError where the folder is shared with
 * others, as /tmp is, or belongs to another account.
 */
export function ensurePrivateDir(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ALONE });
  const { mode } = statSync(folder);
  if ((mode & 0o777) === OWNER_ALONE) return;
  try {
    if (mode & STICKY) throw new Error('shared with everybody');
    chmodSync(folder, OWNER_ALONE);
  } catch {
    throw new ConfigurationError([
      `DATA_DIR must be a folder that belongs to this account alone: ${resolve(folder)} does not. Name one inside it, which is made then`,
    ]);
  }
}
