import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorResponse } from '../api/errors.ts';

/**
 * Refuses bodies of more than that many bytes. One that names its length is refused by it, unread: Node passes on no byte
 * more. Looking at the body itself, as the library does first, would make a stream of it.
 */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const onError = () => errorResponse('BODY_TOO_LARGE');
  const whileReading = bodyLimit({ maxSize: maxBytes, onError });
  return async (c, next) => {
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) {
      const empty = c.req.method === 'GET' || c.req.method === 'HEAD';
      return empty ? next() : whileReading(c, next);
    }
    return Number(length) <= maxBytes ? next() : onError();
  };
}
