import type { Query } from './move/tables.ts';

/** Stored as a comment on the table of migrations, which every copy of the database keeps. */
const TABLE = 'drizzle.__drizzle_migrations';
const COMMENT = /^AUTH_SECRET has the fingerprint ([0-9a-f]{16})$/;

/** The fingerprint of the AUTH_SECRET that the database was last used with; null if none was stored. */
export async function readFingerprint(query: Query): Promise<string | null> {
  const [row] = await query<{ comment: string | null }>(
    `select obj_description(to_regclass('${TABLE}')::oid, 'pg_class') as comment`,
  );
  return COMMENT.exec(row?.comment ?? '')?.[1] ?? null;
}

/** Writes nothing if it is stored already. Throws for what is no fingerprint. */
export async function writeFingerprint(query: Query, fingerprint: string): Promise<void> {
  const comment = `AUTH_SECRET has the fingerprint ${fingerprint}`;
  if (!COMMENT.test(comment)) throw new Error('not a fingerprint');
  if ((await readFingerprint(query)) === fingerprint) return;
  await query(`comment on table ${TABLE} is '${comment}'`);
}
