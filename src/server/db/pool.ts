import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { isDiskFull } from './disk-full.ts';
import { type StatementWatch, textOf, withReference } from './statement-watch.ts';
import { createNamedStatements } from './statements/named-statements.ts';

/** Limits in milliseconds. */
export interface PoolLimits {
  /** How long to wait until a connection is opened, or one in the pool is free. */
  connect: number;
  /** How long to wait for the answer to a statement. */
  query: number;
  /** How long closing waits for running statements. */
  close: number;
}

/** A call fails within these 6 seconds when the database is silent, before the bar's own limit of 8. */
export const POOL_LIMITS: PoolLimits = { connect: 5_000, query: 6_000, close: 3_000 };

const CONNECTIONS = 10;
const LONGEST_LIFE_SECONDS = 30 * 60;
const GRACE_MS = 500;

/** The database cannot be reached, or does not answer; the same call may succeed later. */
class DatabaseUnavailableError extends Error {
  constructor(cause: unknown, message = 'The database cannot be reached') {
    super(message, { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

const failures = new AsyncLocalStorage<{ unavailable: boolean }>();

/**
 * Runs work and returns whether the database was unavailable. The auth library replaces this error by its own, which hides
 * the cause.
 */
export async function noteUnavailable(work: () => Promise<unknown>): Promise<boolean> {
  const note = { unavailable: false };
  await failures.run(note, work);
  return note.unavailable;
}

/**
 * Marks the database unavailable for the current request too, when it shared the failed statement: the statement ran for
 * the first request. Returns the error.
 */
export function noteShared(error: unknown): unknown {
  for (let it = error; it instanceof Error; it = it.cause) {
    if (it instanceof DatabaseUnavailableError) note();
  }
  return error;
}

function note(): void {
  const entry = failures.getStore();
  if (entry) entry.unavailable = true;
}

// Shutdown, startup, exhausted resources (connections, disk, memory), lost connection, read-only after a failover, timeouts
// of statements or idle transactions, failing disk.
const AWAY =
  /^(57P0[1-5]|57014|53...|08...|25006|25P03|58030|ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const DISK_FULL =
  'The disk of the database is full, so nothing can be stored. Free some space there; nothing has to be restarted.';
/** The driver's timeout error, which has no code. */
const SILENT = 'Query read timeout';
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed)/;

/** A database error, converted to DatabaseUnavailableError if the same call may succeed later. */
export function toUnavailable(error: unknown): unknown {
  if (isDiskFull(error)) return unavailable(error, DISK_FULL);
  if (!(error instanceof Error) || error instanceof DatabaseUnavailableError) return error;
  const { code } = error as { code?: unknown };
  const isAway =
    typeof code === 'string' ? AWAY.test(code) : error.message === SILENT || LOST.test(error.message);
  if (!isAway) return error;
  return unavailable(error);
}

function unavailable(cause: unknown, message?: string): DatabaseUnavailableError {
  note();
  return new DatabaseUnavailableError(cause, message);
}

type Done = (error: Error | null, result: unknown) => void;

/** Calls `onError` with the error of every statement, whether it is reported by a callback or a promise. */
function watchedClient(
  watch: StatementWatch,
  onError: (client: Client, error: Error) => void,
): typeof Client {
  return class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads, passed through as they are
    override query(...args: any[]): any {
      const callback = args.at(-1) as Done | undefined;
      // A callback means that the pool calls, whose own query is watched already.
      if (typeof callback !== 'function') return watched(watch, args, (request) => this.send(request));
      args[args.length - 1] = (error: Error | null, result: unknown) => {
        if (error) onError(this, error);
        callback(error, result);
      };
      return this.send(args);
    }

    private send(args: unknown[]): unknown {
      const result = (super.query as (...args: unknown[]) => unknown).apply(this, args);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: Error) => {
        onError(this, error);
        throw toUnavailable(error);
      });
    }
  };
}

/** Runs a statement under the current request's reference, whose context is lost by the time a connection is free. */
function watched(watch: StatementWatch, args: unknown[], ask: (args: unknown[]) => unknown): unknown {
  const request = withReference(args, watch.reference?.() ?? null);
  return watch.run ? watch.run(textOf(args), async () => ask(request)) : ask(request);
}

/** A pool whose calls reject with DatabaseUnavailableError while the server is away. */
function watchedPool(watch: StatementWatch): typeof Pool {
  const askNamed = createNamedStatements();
  return class extends Pool {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads, passed through as they are
    override connect(...args: any[]): any {
      return mapped((super.connect as (...args: unknown[]) => unknown).apply(this, args));
    }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    override query(...args: any[]): any {
      return watched(watch, args, (request) =>
        mapped(askNamed(request, (it) => (super.query as (...args: unknown[]) => unknown).apply(this, it))),
      );
    }
  };
}

function mapped(result: unknown): unknown {
  if (!(result instanceof Promise)) return result;
  return result.catch((error: unknown) => {
    throw toUnavailable(error);
  });
}

/** Closes a connection without a goodbye, which a silent server would never answer. */
const cut = (client: Client) => client.connection.stream.destroy();

/**
 * A pool for a Postgres server that drops silent connections, as after a failover, together with the idle ones, which
 * probably died too. Statements, and transactions that cannot begin, reject with DatabaseUnavailableError while the server
 * is away. `close` takes `limits.close` at most.
 */
export function openPool(
  url: string,
  limits = POOL_LIMITS,
  watch: StatementWatch = {},
): { pool: Pool; close(): Promise<void> } {
  const clients = new Set<Client>();
  const idleClients = new Set<Client>();
  const WatchedPool = watchedPool(watch);
  const pool = new WatchedPool({
    connectionString: url,
    max: CONNECTIONS,
    maxLifetimeSeconds: LONGEST_LIFE_SECONDS,
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.query,
    // The server times out too, which frees rows locked by a lost connection.
    statement_timeout: limits.query,
    idle_in_transaction_session_timeout: limits.query,
    keepAlive: true,
    Client: watchedClient(watch, (client, error) => {
      if (error.message === SILENT) for (const peer of [client, ...idleClients]) cut(peer);
    }),
  });
  // The pool replaces dropped idle connections; without a listener the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    clients.add(client);
    // The pool only listens to idle connections. One that breaks between two statements of a transaction would end the
    // process; with a listener, the next statement rejects instead.
    client.on('error', () => undefined);
  });
  pool.on('acquire', (client) => idleClients.delete(client));
  pool.on('release', (_error, client) => idleClients.add(client));
  pool.on('remove', (client) => {
    clients.delete(client);
    idleClients.delete(client);
  });
  return { pool, close: () => closePool(pool, clients, limits.close) };
}

async function closePool(pool: Pool, clients: Set<Client>, withinMs: number): Promise<void> {
  const timer = setTimeout(() => clients.forEach(cut), withinMs);
  try {
    // A connection cut before closing never reports its end.
    await Promise.race([pool.end(), wait(withinMs + GRACE_MS, undefined, { ref: false })]);
  } finally {
    clearTimeout(timer);
  }
}
