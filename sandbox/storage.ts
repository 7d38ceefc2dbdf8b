import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads a JSON file; undefined if it does not exist. Throws if it is not JSON. */
export function readJson(file: string): unknown {
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes JSON to a temporary file and renames it: a crash leaves the old file or the new one. */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.writing`;
  writeFileSync(draft, JSON.stringify(value));
  renameSync(draft, file);
}
