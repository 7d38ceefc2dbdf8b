import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

/** What a listener receives. */
export interface ListenHandlers {
  message(payload: string): void;
  /** The connection was lost for a while: messages may have been missed. */
  missed(): void;
}

export interface Listener {
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
const PROBE_EVERY_MS = 30_000;
const PROBE_TIMEOUT_MS = 10_000;
const CLOSE_MS = 1_000;

/**
 * Listens to a channel of a Postgres server on a connection of its own, which is replaced whenever it breaks.
 * Rejects when the first connection fails.
 */
export async function listenPostgres(url: string, channel: string, heard: ListenHandlers): Promise<Listener> {
  let closed = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;

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
      again(FIRST_WAIT_MS);
    };
    fresh.on('error', lost);
    fresh.on('end', lost);
    fresh.on('notification', ({ payload }) => heard.message(payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
    } catch (error) {
      fresh.connection.stream.destroy();
      throw error;
    }
    if (closed) return void fresh.end().catch(() => undefined);
    client = fresh;
    // A connection that died silently looks like a quiet one; only a query tells.
    const probe = () => {
      timer = setTimeout(() => fresh.query('select 1').then(probe, lost), PROBE_EVERY_MS);
    };
    probe();
  };

  const again = (wait: number) => {
    timer = setTimeout(() => {
      connect().then(
        () => heard.missed(),
        () => {
          if (!closed) again(Math.min(wait * 2, LONGEST_WAIT_MS));
        },
      );
    }, wait);
  };

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      // The other end may be silent, and would never answer the farewell.
      await Promise.race([client?.end().catch(() => undefined), wait(CLOSE_MS, undefined, { ref: false })]);
      client?.connection.stream.destroy();
    },
  };
}
