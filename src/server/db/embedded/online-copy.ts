import type { PGlite } from '@electric-sql/pglite';

/** The engine's files hold a consistent database only together with these. */
interface CopyEnd {
  /** The file `backup_label` of the copy, which tells the engine where to begin. */
  label: string;
  /** Names of the first and the last file of the write-ahead log that the copy needs. */
  firstLog: string;
  lastLog: string;
}

/** Postgres' own way to copy the files of a running database: no statement waits for the copy. */
export interface OnlineCopy {
  /** From here on, copy the files. Ends with `end` in any case. */
  begin(): Promise<void>;
  /** Then copy the write-ahead log. */
  end(): Promise<CopyEnd>;
}

/** Runs when no statement and no transaction does. */
type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

export function onlineCopyOf(engine: PGlite, exclusive: Exclusive): OnlineCopy {
  let firstLog = '';
  const row = async <T>(text: string) => (await exclusive(() => engine.query<T>(text))).rows[0];
  return {
    async begin() {
      // The log grows until the engine is asked for a checkpoint, which this does first.
      const began = await row<{ log: string }>(
        `select pg_walfile_name(pg_backup_start('cellar-door', true)) as log`,
      );
      firstLog = began?.log ?? '';
    },
    async end() {
      const ended = await row<{ label: string; log: string }>(
        'select labelfile as label, pg_walfile_name(lsn) as log from pg_backup_stop(false)',
      );
      if (!ended) throw new Error('The end of a copy answered no row');
      return { label: ended.label, firstLog, lastLog: ended.log };
    },
  };
}
