import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ensurePrivateDir } from './data-dir.ts';

const schema = z.object({ auth: z.string().min(32), webhook: z.string().min(16) });
export type GeneratedSecrets = z.infer<typeof schema>;

const FILE = 'secrets.json';

/** The stored secrets cannot be read; new ones would end every session and second step. */
class SecretsDamagedError extends Error {
  constructor(file: string, cause: unknown) {
    super(
      `${resolve(file)} is damaged; nothing was changed. Put back the one of a backup: restore it into another folder ` +
        '(DATA_DIR=./other-data cellar-door restore FILE) and copy secrets.json from there. ' +
        'Without one, delete the file and run cellar-door forget-secret.',
      { cause },
    );
    this.name = 'SecretsDamagedError';
  }
}

/** The secrets in the data folder; null if it has none. Throws SecretsDamagedError. */
export function storedSecrets(folder: string): GeneratedSecrets | null {
  const file = join(folder, FILE);
  return existsSync(file) ? read(file) : null;
}

/** Secrets that are generated once and stored in the data folder, readable only by its owner. Throws SecretsDamagedError. */
export function generatedSecrets(folder: string, random: () => string): GeneratedSecrets {
  const file = join(folder, FILE);
  if (existsSync(file)) return read(file);
  ensurePrivateDir(folder);
  const secrets = { auth: random(), webhook: `whsec_${random()}` };
  try {
    writeFileSync(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 });
    if (existsSync(file)) rmSync(`${file}.new`, { force: true });
    else renameSync(`${file}.new`, file);
  } catch (error) {
    // Another start on this folder was faster.
    if (!existsSync(file)) throw error;
  }
  return read(file);
}

function read(file: string): GeneratedSecrets {
  const text = readFileSync(file, 'utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new SecretsDamagedError(file, error);
  }
}
