import type { Logger } from 'pino';
import type { FloodLimit } from '../platform/flood-limit.ts';

/** Keeps a flood of refusals from flooding the log. */
const FROM_ONE_CLIENT = { max: 20, window: 60 };
const MAX_PATH = 200;

interface Refused {
  code: string;
  /** The call, if one is known. It is counted, and not the path, which a caller can vary without end. */
  call: string | null;
  path: string;
  /** The client IP. */
  from: string;
}

/** Logs a refusal that may indicate an attack. */
export function logRefusal(
  { log, flood }: { log: Logger; flood: FloodLimit },
  { code, call, path, from }: Refused,
): void {
  if (flood.wait(`log|${code}|${call}|${from}`, FROM_ONE_CLIENT) > 0) return;
  log.warn({ security: 'refused', code, path: path.slice(0, MAX_PATH), from }, 'refused');
}
