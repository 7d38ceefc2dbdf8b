import { Worker } from 'node:worker_threads';
import { tidyDataFiles } from '../embedded/data-files.ts';
import { START_PARAMS } from '../embedded/disk.ts';
import { openEngine } from '../embedded/engine.ts';
import type { StoredMigration } from '../migrate.ts';
import type { Query } from '../move/tables.ts';
import { ENGINE_POSTGRES, postgresVersionOf } from './data-damage.ts';

export interface Inspection {
  rows: Record<string, number>;
  migrations: StoredMigration[];
}

/**
 * Opens the embedded database in an unused folder, reads every row of every table, with page checksums, and closes it.
 * `ask` may read more. Throws the engine's errors for a damaged one, and what `ask` throws.
 */
export async function inspectDatabase(
  dataDir: string,
  ask?: (query: Query) => Promise<void>,
): Promise<Inspection> {
  const version = postgresVersionOf(dataDir);
  if (version !== ENGINE_POSTGRES) {
    throw new Error(
      `its database is of Postgres ${version}, and the engine of this version is ${ENGINE_POSTGRES}`,
    );
  }
  tidyDataFiles(dataDir);
  const client = await openEngine({ dataDir, startParams: START_PARAMS });
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    );
    const rows: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows: result } = await client.query<{ rows: number }>(
        // A row's text needs all of its pages, including those of long values.
        `select count(it::text)::integer as rows from "${name}" it`,
      );
      rows[name] = result[0]?.rows ?? 0;
    }
    const { rows: migrations } = await client.query<StoredMigration>(
      'select hash, created_at::float8 as created_at from drizzle.__drizzle_migrations order by created_at, id',
    );
    await ask?.(async (text) => (await client.query(text)).rows as never);
    return { rows, migrations };
  } finally {
    await client.close();
  }
}

/** Inspects on another thread, so that a running server continues. */
export function inspectBeside(dataDir: string): Promise<Inspection> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./inspect-worker.ts', import.meta.url), {
      workerData: dataDir,
      execArgv: [],
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The check of the backup ended with code ${code}`)));
  });
}
