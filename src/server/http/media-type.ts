import type { MiddlewareHandler } from 'hono';

/** Writes the media type in lower case, as the rest compares it: its case means nothing (RFC 9110, 8.3.1). */
export const plainMediaType: MiddlewareHandler = async (c, next) => {
  const { headers } = c.req.raw;
  const [type = '', ...parameters] = headers.get('content-type')?.split(';') ?? [];
  const plain = type.trim().toLowerCase();
  if (plain !== type) headers.set('content-type', [plain, ...parameters].join(';'));
  return next();
};

export const isJson = (headers: Headers): boolean =>
  headers.get('content-type')?.split(';')[0] === 'application/json';

/** Whether a request has no body: then it needs no type. */
export const isEmpty = (headers: Headers): boolean =>
  Number(headers.get('content-length') ?? 0) === 0 && !headers.has('transfer-encoding');
