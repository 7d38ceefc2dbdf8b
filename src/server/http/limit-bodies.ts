import { StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { bodyLimitOf, MAX_BODY_BYTES } from '../api/body-limits.ts';
import { errorResponse } from '../api/errors.ts';
import { api } from '../api/router.ts';
import { currentPath } from './old-paths.ts';

const tooLarge = () => errorResponse('BODY_TOO_LARGE');

/**
 * Refuses a body that is larger than its call's input can be, before it is read; 64 KB where no call has the path. A
 * Content-Length is checked without reading: Node passes on no byte beyond it. Looking at the body itself, as the library
 * does first, would turn it into a stream.
 */
export function limitBodies(): MiddlewareHandler {
  const calls = new StandardOpenAPIMatcher();
  calls.init(api);
  const limitOf = async ({ req }: Context) => {
    const call = await calls.match(
      req.method,
      `/${currentPath(req.path).slice('/api/'.length).replace(/\/$/, '')}`,
    );
    return call ? bodyLimitOf(call.procedure['~orpc'].inputSchema) : MAX_BODY_BYTES;
  };
  return async (c, next) => {
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) {
      if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
      return bodyLimit({ maxSize: await limitOf(c), onError: tooLarge })(c, next);
    }
    return Number(length) <= (await limitOf(c)) ? next() : tooLarge();
  };
}
