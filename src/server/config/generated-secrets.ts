import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensurePrivateDir } from './data-dir.ts';

const stored = z.object({ auth: z.string().min(32), webhook: z.string().min(16) });
export type GeneratedSecrets = z.infer<typeof stored>;

const FILE = 'secrets.json';

export const hasGeneratedSecrets = (folder: string) => existsSync(join(folder, FILE));

/**
 * Secrets that are generated once and stored in the data folder, readable only by its owner.
 * Throws when the file is damaged: new secrets would end every session and card.
 */
export function generatedSecrets(folder: string, random: () => string): GeneratedSecrets {
  const file = join(folder, FILE);
  if (existsSync(file)) return read(file);
  ensurePrivateDir(folder);
  const made = { auth: random(), webhook: `whsec_${random()}` };
  try {
    writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
    if (existsSync(file)) rmSync(`${file}.new`, { force: true });
    else renameSync(`${file}.new`, file);
  } catch (error) {
    // Another start on this folder was faster.
    if (!existsSync(file)) throw error;
  }
  return read(file);
}

function read(file: string): GeneratedSecrets {
  const parsed = stored.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is damaged. Restore it, or delete it to sign everyone out.`);
  return parsed.data;
}
