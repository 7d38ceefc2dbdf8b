import { Mutex, type PGlite, protocol, types } from '@electric-sql/pglite';
import { toUnavailable } from '../pool.ts';
import type { StatementWatch } from '../statement-watch.ts';

const { messages: wire, serialize } = protocol;
type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];

const asText = (value: string) => value;

/** Types that drizzle parses itself, and the arrays of numeric, timestamp, timestamptz, interval and date. */
const READ_BY_DRIZZLE = new Set<number>([
  types.TIMESTAMP,
  types.TIMESTAMPTZ,
  types.INTERVAL,
  types.DATE,
  1231,
  1115,
  1185,
  1187,
  1182,
]);

/** Maximum of prepared statements; the least recently used is dropped. The server has fewer than 300. */
const PREPARED_LIMIT = 400;

interface Column {
  name: string;
  read: (value: string) => unknown;
}

interface Prepared {
  name: string;
  parameterTypes: number[];
  columns: Column[];
}

interface Result {
  rows: unknown[];
}

interface Options {
  rowMode?: 'array' | 'object';
}

type Query = (text: string, parameters?: unknown[], options?: Options) => Promise<Result>;

const SYNC = serialize.sync();
const EXECUTE = Buffer.concat([serialize.execute({}), SYNC]);

/** Postgres' code when a prepared statement's columns are no longer those of its table. */
const CHANGED_RESULT = '0A000';

type Engine = Pick<PGlite, 'closed' | 'execProtocolStream' | 'parsers' | 'serializers' | 'syncToFs'>;

/**
 * The embedded engine for drizzle. The engine's own `query` parses and plans every statement again in six calls; here a
 * statement is prepared once, and running it again is one call. One statement or transaction runs at a time.
 */
export class EmbeddedClient {
  readonly #engine: Engine;
  readonly #watch: Pick<StatementWatch, 'run'>;
  readonly #turn = new Mutex();
  /** Prepared statements by their text, least recently used first. */
  readonly #prepared = new Map<string, Promise<Prepared>>();
  #names = 0;

  /** The embedded engine has no log, so its statements name no request. */
  constructor(engine: Engine, watch: Pick<StatementWatch, 'run'> = {}) {
    this.#engine = engine;
    this.#watch = watch;
  }

  /** Throws the engine's DatabaseError, or DatabaseUnavailableError while the disk is full. */
  query: Query = (text, parameters, options) =>
    this.#watched(text, () =>
      this.exclusive(async () => {
        const result = await this.#run(text, parameters, options);
        await this.#engine.syncToFs();
        return result;
      }),
    );

  /** Commits `work`, or rolls back if it throws. The client passed to `work` ends with it. */
  transaction<T>(work: (tx: { query: Query }) => Promise<T>): Promise<T> {
    return this.exclusive(async () => {
      let isOpen = true;
      const query: Query = async (...args) => {
        if (!isOpen) throw new Error('Transaction is closed');
        return this.#watched(args[0], () => this.#run(...args));
      };
      await this.#send(serialize.query('begin'));
      try {
        const result = await work({ query });
        isOpen = false;
        await this.#send(serialize.query('commit'));
        await this.#engine.syncToFs();
        return result;
      } catch (error) {
        isOpen = false;
        await this.#send(serialize.query('rollback'));
        throw error;
      }
    });
  }

  /** Runs while no statement or transaction does, and blocks others. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#turn.runExclusive(() => {
      if (this.#engine.closed) throw new Error('The embedded database is closed');
      return work();
    });
  }

  #watched(text: string, ask: () => Promise<Result>): Promise<Result> {
    return this.#watch.run ? this.#watch.run(text, ask) : ask();
  }

  async #run(
    text: string,
    parameters: unknown[] = [],
    { rowMode = 'object' }: Options = {},
  ): Promise<Result> {
    const { name, parameterTypes, columns } = await this.#prepare(text);
    const values = parameters.map((value, index) => this.#written(value, parameterTypes[index]));
    try {
      const messages = await this.#send(serialize.bind({ statement: name, values }), EXECUTE);
      return { rows: rowsOf(messages, columns, rowMode) };
    } catch (error) {
      // After a table changes its columns, its prepared statements no longer fit.
      if ((error as { code?: string }).code === CHANGED_RESULT) this.#prepared.delete(text);
      throw error;
    }
  }

  #prepare(text: string): Promise<Prepared> {
    const statement = this.#prepared.get(text);
    this.#prepared.delete(text);
    const result = statement ?? this.#parse(text);
    this.#prepared.set(text, result);
    return result;
  }

  async #parse(text: string): Promise<Prepared> {
    this.#names += 1;
    const name = `s${this.#names}`;
    const [first] = this.#prepared;
    try {
      if (first && this.#prepared.size >= PREPARED_LIMIT) {
        this.#prepared.delete(first[0]);
        await this.#send(serialize.close({ type: 'S', name: (await first[1]).name }), SYNC);
      }
      const parse = serialize.parse({ name, text });
      const messages = await this.#send(parse, serialize.describe({ type: 'S', name }), SYNC);
      return {
        name,
        parameterTypes:
          messages.find((it) => it instanceof wire.ParameterDescriptionMessage)?.dataTypeIDs ?? [],
        columns:
          messages
            .find((it) => it instanceof wire.RowDescriptionMessage)
            ?.fields.map((it) => ({ name: it.name, read: this.#reader(it.dataTypeID) })) ?? [],
      };
    } catch (error) {
      this.#prepared.delete(text);
      throw error;
    }
  }

  #reader(type: number): Column['read'] {
    const parse = READ_BY_DRIZZLE.has(type) ? undefined : this.#engine.parsers[type];
    return parse ? (value) => parse(value, type) : asText;
  }

  #written(value: unknown, type = 0): string | null {
    if (value === null || value === undefined) return null;
    const write = this.#engine.serializers[type];
    return write ? write(value) : String(value);
  }

  async #send(...parts: Uint8Array[]): Promise<Message[]> {
    try {
      return await this.#engine.execProtocolStream(Buffer.concat(parts), { syncToFs: false });
    } catch (error) {
      throw toUnavailable(error);
    }
  }
}

function rowsOf(messages: Message[], columns: Column[], rowMode: 'array' | 'object'): unknown[] {
  const rows: unknown[] = [];
  for (const message of messages) {
    if (!(message instanceof wire.DataRowMessage)) continue;
    const values = columns.map(({ read }, index) => {
      const value = message.fields[index] ?? null;
      return value === null ? null : read(value);
    });
    rows.push(
      rowMode === 'array'
        ? values
        : Object.fromEntries(columns.map(({ name }, index) => [name, values[index]])),
    );
  }
  return rows;
}
