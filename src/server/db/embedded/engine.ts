import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/** Starts the engine with the schema's extensions. Rejects with the engine's error if its files are damaged. */
export const openEngine = (options: PGliteOptions): Promise<PGlite> =>
  PGlite.create({ extensions: { pg_trgm }, ...options });
