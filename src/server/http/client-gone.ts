/** Nginx's status for a request whose client disconnected before the response; no one reads it. */
export const CLIENT_GONE_STATUS = 499;

export const CLIENT_GONE = 'the client went away';

/** The messages of Node and its adapter for a body cut off with its connection. */
const BODY_CUT_OFF = /^(aborted|Client connection prematurely closed\.?)$/;

/**
 * Whether a request failed only because its client went away while sending it. Any other failure counts, even if the client
 * has gone since.
 */
export function isClientGone(error: unknown, signal: AbortSignal | null | undefined): boolean {
  if (!signal?.aborted) return false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'AbortError' || BODY_CUT_OFF.test(cause.message)) return true;
  }
  return false;
}

/** Counts in the metrics as neither a success nor a server failure. */
export const clientGoneResponse = () => new Response(null, { status: CLIENT_GONE_STATUS });
