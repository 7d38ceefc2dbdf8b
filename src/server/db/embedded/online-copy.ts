import type { PGlite } from '@electric-sql/pglite';

/** Data that completes the copied files to a consistent database. */
interface CopyEnd {
  /** The copy's `backup_label` file, which tells the engine where recovery begins. */
  label: string;
  /** Names of the first and the last file of the write-ahead log that the copy needs. */
  firstLog: string;
  lastLog: string;
}

/** Postgres' online backup of a running database: no statement waits for the copy. */
export interface OnlineCopy {
  /** Copy the files after this. Always call `end`. */
  begin(): Promise<void>;
  /** Copy the write-ahead log after this. */
  end(): Promise<CopyEnd>;
}

/** Runs while no statement or transaction does. */
type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

export function onlineCopyOf(engine: PGlite, exclusive: Exclusive): OnlineCopy {
  let firstLog = '';
  const row = async <T>(text: string) => (await exclusive(() => engine.query<T>(text))).rows[0];
  return {
    async begin() {
      // The log grows until a checkpoint, which this requests first.
      const start = await row<{ log: string }>(
        `select pg_walfile_name(pg_backup_start('cellar-door', true)) as log`,
      );
      firstLog = start?.log ?? '';
    },
    async end() {
      const end = await row<{ label: string; log: string }>(
        'select labelfile as label, pg_walfile_name(lsn) as log from pg_backup_stop(false)',
      );
      if (!end) throw new Error('The end of a copy returned no row');
      return { label: end.label, firstLog, lastLog: end.log };
    },
  };
}
