/** What nginx calls a request whose client went away before it was answered; nobody reads the response. */
export const CLIENT_GONE_STATUS = 499;

/** As the log names it. */
export const CLIENT_GONE = 'the client went away';

/** Node's words, and those of its adapter, for a body that ended because the connection did. */
const BODY_CUT_OFF = /^(aborted|Client connection prematurely closed\.?)$/;

/**
 * True where a request failed only because its client went away while sending it: neither our mistake nor anybody's to
 * look into. Any other failure is one, even if the client has gone since.
 */
export function isClientGone(error: unknown, signal: AbortSignal | null | undefined): boolean {
  if (!signal?.aborted) return false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'AbortError' || BODY_CUT_OFF.test(cause.message)) return true;
  }
  return false;
}

/** For the access counts: neither a success nor a failure of ours. */
export const clientGoneResponse = () => new Response(null, { status: CLIENT_GONE_STATUS });
