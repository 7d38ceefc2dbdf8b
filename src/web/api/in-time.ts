/** The longest wait for an answer that someone at the bar waits for, in milliseconds. */
const ANSWER_TIMEOUT_MS = 8_000;

/** Aborts a call that gets no answer in time, and with `signal`. */
export function inTime(signal?: AbortSignal): { signal: AbortSignal } {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  return { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
}

export const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

/** Whether nothing came from our server: no network, no answer in time, or the page of a captive portal. */
export const isUnanswered = (error: unknown): boolean => isTimeout(error) || error instanceof TypeError;

/** Calls of our server answer with JSON or a stream of events. */
const PAGE = /^\s*(text\/(?!event-stream)|application\/(xhtml\+)?xml)/i;

/** Network Authentication Required: the one status above 500 that a captive portal sends, and no proxy of ours. */
const PORTAL_STATUS = 511;

/**
 * A page comes from a captive portal or a proxy. A proxy's 5xx passes, because it reports on our server. Throws TypeError,
 * as fetch does without a network.
 */
export function assertFromServer(response: Response): Response {
  const isPage = PAGE.test(response.headers.get('content-type') ?? '');
  if (isPage && (response.status < 500 || response.status === PORTAL_STATUS))
    throw new TypeError('The answer is a page, not our server\u2019s');
  return response;
}
