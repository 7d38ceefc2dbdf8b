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
  let isClosed = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isDeaf: boolean | null = null;
  let echoes = 0;
  let echo: { payload: string; came: () => void } | null = null;

  const turnDeaf = (deaf: boolean) => {
    if (deaf === isDeaf) return;
    isDeaf = deaf;
    handlers.deaf(deaf);
  };
  /** Sends a unique echo, and waits for it on this connection. */
  const echoArrives = async (listener: Client): Promise<boolean> => {
    // The connection's process id, missing from the driver's types.
    const { processID } = listener as unknown as { processID: number };
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
    echoes += 1;
    echo = { payload: `${ECHO}${processID} ${echoes}`, came: arrive };
    const sending = notify(echo.payload);
    return Promise.race([
      sending.then(() => arrival).then(() => true),
      wait(times.echo, false, { ref: false }),
    ]);
  };
  const tryOut = async (listener: Client) => turnDeaf(!(await echoArrives(listener).catch(() => false)));

  const connect = async () => {
    const candidate = new Client({
      connectionString: url,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = () => {
      if (client !== candidate || isClosed) return;
      client = null;
      clearTimeout(timer);
      candidate.connection.stream.destroy();
      turnDeaf(true);
      reconnectIn(FIRST_WAIT_MS);
    };
    candidate.on('error', lost);
    candidate.on('end', lost);
    candidate.on('notification', ({ payload = '' }) => {
      // A pooler may deliver another server's echo.
      if (!payload.startsWith(ECHO)) handlers.message(payload);
      else if (payload === echo?.payload) echo.came();
    });
    try {
      await candidate.connect();
      await candidate.query(`listen ${candidate.escapeIdentifier(channel)}`);
    } catch (error) {
      candidate.connection.stream.destroy();
      throw error;
    }
    if (isClosed) return void candidate.end().catch(() => undefined);
    client = candidate;
    // A silently dead connection looks like a quiet one; only a query shows the difference.
    const probe = () => {
      timer = setTimeout(
        () => candidate.query('select 1').then(() => tryOut(candidate).then(probe), lost),
        times.probeEvery,
      );
    };
    await tryOut(candidate);
    if (client === candidate && !isClosed) probe();
  };

  const reconnectIn = (wait: number) => {
    timer = setTimeout(() => {
      connect().then(
        () => handlers.missed(),
        () => {
          if (!isClosed) reconnectIn(Math.min(wait * 2, LONGEST_WAIT_MS));
        },
      );
    }, wait);
  };

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // A dead peer would never answer the goodbye.
      await Promise.race([client?.end().catch(() => undefined), wait(CLOSE_MS, undefined, { ref: false })]);
      client?.connection.stream.destroy();
    },
  };
}
