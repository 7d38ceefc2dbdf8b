import { setFlagsFromString } from 'node:v8';
import { PGlite, type PGliteOptions, protocol } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/** There is nothing in it, but the parser is asked. */
const EMPTY_STATEMENT = protocol.serialize.query(';');

/** The engine, whose SQL parser V8 never compiles again. */
class Engine extends PGlite {
  /** The engine's start calls this before it has asked any statement. */
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    if (!options?.force) withoutOptimizing(() => this.execProtocolRawSync(EMPTY_STATEMENT));
    await super._initArrayTypes(options);
  }
}

/**
 * What runs for the first time in `work` is compiled to code that V8 does not count the runs of, so that it is never
 * optimized. Optimizing the parser takes 600 MB for a moment and makes no statement faster; V8 does it early, because it
 * takes each step of a parser's loop for one through all of its code.
 */
function withoutOptimizing(work: () => void): void {
  setFlagsFromString('--wasm-tier-up-filter=0');
  try {
    work();
  } finally {
    setFlagsFromString('--wasm-tier-up-filter=-1');
  }
}

/** Starts the engine with the extensions of the schema. Rejects with the engine's error where its files are damaged. */
export async function openEngine(options: PGliteOptions): Promise<PGlite> {
  const engine = new Engine({ extensions: { pg_trgm }, ...options });
  await engine.waitReady;
  return engine;
}
