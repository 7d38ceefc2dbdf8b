import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

export interface ListenHandlers {
  message(payload: string): void;
  /** The connection was lost for a while, so messages may have been missed. */
  missed(): void;
  /** Called with true when notifications stop arriving, with false when they resume, and first when a listener opens. */
  deaf(isDeaf: boolean): void;
}

export interface Listener {
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const PROBE_EVERY_MS = 30_000;
const PROBE_TIMEOUT_MS = 10_000;
/** How long to wait for our own test notification. */
const ECHO_MS = 3_000;
const CLOSE_MS = 1_000;
const ECHO = 'echo ';

/** Milliseconds; tests use shorter ones. */
export interface ListenTimes {
  probeEvery: number;
  echo: number;
}

/**
 * Listens to a Postgres channel on its own connection, which is replaced whenever it breaks. Tests delivery by sending a
 * notification with `notify` over another connection. Behind a pooler in transaction mode LISTEN succeeds but nothing
 * arrives; then `deaf` is called, and each probe retries. Rejects if the first connection fails.
 */
export async function listenPostgres(
  url: string,
  channel: string,
  handlers: ListenHandlers,
  notify: (payload: string) => Promise<unknown>,
  times: ListenTimes = { probeEvery: PROBE_EVERY_MS, echo: ECHO_MS },
): Promise<Listener> {
  let closed = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isDeaf: boolean | null = null;
  let echoes = 0;
  let awaited: { payload: string; came: () => void } | null = null;

  const turnDeaf = (deaf: boolean) => {
    if (deaf === isDeaf) return;
    isDeaf = deaf;
    handlers.deaf(deaf);
  };
  /** Sends a unique echo, and waits for it on this connection. */
  const echoArrives = async (on: Client): Promise<boolean> => {
    // The connection's process id, missing from the driver's types.
    const { processID } = on as unknown as { processID: number };
    const { promise: back, resolve: came } = Promise.withResolvers<void>();
    echoes += 1;
    awaited = { payload: `${ECHO}${processID} ${echoes}`, came };
    const sent = notify(awaited.payload);
    return Promise.race([sent.then(() => back).then(() => true), wait(times.echo, false, { ref: false })]);
  };
  const tryOut = async (on: Client) => turnDeaf(!(await echoArrives(on).catch(() => false)));

  const connect = async () => {
    const fresh = new Client({
      connectionString: url,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = () => {
      if (client !== fresh || closed) return;
      client = null;
      clearTimeout(timer);
      fresh.connection.stream.destroy();
      turnDeaf(true);
      reconnectIn(FIRST_WAIT_MS);
    };
    fresh.on('error', lost);
    fresh.on('end', lost);
    fresh.on('notification', ({ payload = '' }) => {
      // A pooler may deliver another server's echo.
      if (!payload.startsWith(ECHO)) handlers.message(payload);
      else if (payload === awaited?.payload) awaited.came();
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    } catch (error) {
      fresh.connection.stream.destroy();
      throw error;
    }
    if (closed) return void fresh.end().catch(() => undefined);
    client = fresh;
    // A silently dead connection looks like a quiet one; only a query shows the difference.
    const probe = () => {
      timer = setTimeout(
        () => fresh.query('select 1').then(() => tryOut(fresh).then(probe), lost),
        times.probeEvery,
      );
    };
    await tryOut(fresh);
    if (client === fresh && !closed) probe();
  };

  const reconnectIn = (wait: number) => {
    timer = setTimeout(() => {
      connect().then(
        () => handlers.missed(),
        () => {
          if (!closed) reconnectIn(Math.min(wait * 2, LONGEST_WAIT_MS));
        },
      );
    }, wait);
  };

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      // A dead peer would never answer the goodbye.
      await Promise.race([client?.end().catch(() => undefined), wait(CLOSE_MS, undefined, { ref: false })]);
      client?.connection.stream.destroy();
    },
  };
}
