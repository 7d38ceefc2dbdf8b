import type { MiddlewareHandler } from 'hono';

/** Writes the media type in lower case, as the rest compares it: its case means nothing (RFC 9110, 8.3.1). */
export const plainMediaType: MiddlewareHandler = async (c, next) => {
  const { headers } = c.req.raw;
  const [type = '', ...parameters] = headers.get('content-type')?.split(';') ?? [];
  const mediaType = type.trim().toLowerCase();
  if (mediaType !== type) headers.set('content-type', [mediaType, ...parameters].join(';'));
  return next();
};

export const isJson = (headers: Headers): boolean =>
  headers.get('content-type')?.split(';')[0] === 'application/json';

/**
 * Whether a request sends a form. No call takes one, and the library parses it before the caller's calls are counted: one of
 * 64 KB keeps a processor busy ten times as long as JSON.
 */
export const holdsForm = (headers: Headers): boolean =>
  !isEmpty(headers) &&
  // As the library compares it: by the beginning.
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/.test(headers.get('content-type') ?? '');

/** Whether a request has no body: then it needs no type. */
export const isEmpty = (headers: Headers): boolean =>
  Number(headers.get('content-length') ?? 0) === 0 && !headers.has('transfer-encoding');
