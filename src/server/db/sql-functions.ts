import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { schema_functions } from './schema.ts';
import type { Db } from './transaction.ts';

export interface SqlFile {
  name: string;
  text: string;
}

export type RunScript = (script: string) => Promise<unknown>;

const folder = fileURLToPath(new URL('./functions/', import.meta.url));

/** The files of db/functions, in the order in which they are applied: by name. */
export function readSqlFunctions(): SqlFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(`${folder}${name}`, 'utf8') }));
}

/**
 * Applies the files whose text differs from what this database has, all of them or none. Returns their names. A start
 * that finds nothing changed costs one select. The caller holds the migration lock.
 *
 * Each file must be applicable again, whatever version of it came before: `drop function if exists` without arguments
 * and without cascade before `create function`; `create or replace` for triggers and the functions they call. Functions and
 * triggers that no file has any more are dropped by a migration.
 */
export async function applySqlFunctions(db: Db, run: RunScript, files: SqlFile[]): Promise<string[]> {
  const hashOf = new Map(
    (await db.select().from(schema_functions)).map(({ name, sha256 }) => [name, sha256]),
  );
  const changes = files
    .map((file) => ({ ...file, sha256: createHash('sha256').update(file.text).digest('hex') }))
    .filter(({ name, sha256 }) => hashOf.get(name) !== sha256);
  if (changes.length === 0) return [];
  const record = changes.map(({ name, sha256 }) => `('${name}', '${sha256}')`).join(', ');
  await run(
    [
      ...changes.map(({ text }) => text),
      `insert into schema_functions (name, sha256) values ${record}
         on conflict (name) do update set sha256 = excluded.sha256, applied_at = excluded.applied_at`,
    ].join(';\n'),
  );
  return changes.map(({ name }) => name);
}
