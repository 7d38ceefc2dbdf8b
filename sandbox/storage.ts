import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads a JSON file; answers undefined when there is none. Throws on a file that is not JSON. */
export function readJson(file: string): unknown {
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Writes JSON so that a kill at any moment leaves either the old file or the new one, never half:
 * the text goes to a neighbour first, which then takes the name.
 */
export function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  const neighbour = `${file}.writing`;
  writeFileSync(neighbour, JSON.stringify(value));
  renameSync(neighbour, file);
}
