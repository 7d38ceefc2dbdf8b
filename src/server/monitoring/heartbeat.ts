import type { Logger } from 'pino';

const TIMEOUT_MS = 10_000;

export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** Calls to a monitor elsewhere, which raises the alarm when they stop. The address is a secret. */
export function createHeartbeat(url: string, { now, log }: { now(): Date; log: Pick<Logger, 'warn'> }) {
  let called_at: Date | null = null;
  /** The latest call, if it failed. */
  let failed_at: Date | null = null;
  return {
    state: () => ({ called_at, failed_at }),
    /** Never throws: a failed call is logged, once until one succeeds. */
    async call() {
      const reason = await problemOf(url);
      if (reason !== null && failed_at === null) log.warn({ reason }, 'heartbeat not taken');
      if (reason === null) called_at = now();
      failed_at = reason === null ? null : now();
    },
  };
}

/** Calls, and returns why that failed, without any part of the address; null if it succeeded. */
async function problemOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    const { name, cause } = error as Error;
    return (cause as { code?: string } | undefined)?.code ?? name;
  }
}
