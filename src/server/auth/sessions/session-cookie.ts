const SESSION_COPY = /(?<=^|;\s*)(?:__Secure-)?cellar-door\.session_data[^=]*=[^;]*;?/g;

/** The same headers, without the signed copy of the session: docs/decisions/0007-sessions.md. */
export function withoutSessionCache(original: Headers): Headers {
  const headers = new Headers(original);
  headers.set('cookie', (headers.get('cookie') ?? '').replaceAll(SESSION_COPY, ''));
  return headers;
}
