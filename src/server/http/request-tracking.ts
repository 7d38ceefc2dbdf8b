import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import {
  isReference,
  REFERENCE_BYTES,
  REFERENCE_HEADER,
  referenceFrom,
} from '../../domain/monitoring/reference.ts';
import type { Observe, Spans } from '../platform/observe.ts';
import { inRequest, type RequestScope } from '../platform/request-scope.ts';
import { setHeaders } from './security-headers.ts';

interface TrackingDeps {
  newSecret(): string;
  observe?: Observe | undefined;
  spans?: Spans | undefined;
}

const WEB = 'web';
/** A path under /api that leads to no call. */
const UNKNOWN = 'unknown';

/**
 * Gives each request its reference (the caller's own if well-formed) for the response, the log and the database's log;
 * times it, and traces all its work together.
 */
export function trackRequests({ newSecret, observe, spans }: TrackingDeps): MiddlewareHandler {
  const newReference = () =>
    referenceFrom(Buffer.from(newSecret(), 'base64url').subarray(0, REFERENCE_BYTES));
  return async (c, next) => {
    const header = c.req.header(REFERENCE_HEADER);
    const reference = header !== undefined && isReference(header) ? header : newReference();
    const scope: RequestScope = { reference, call: null };
    const start = performance.now();
    const answer = async () => {
      await next();
      setHeaders(c, { [REFERENCE_HEADER]: reference });
      const call = callOf(c, scope);
      observe?.({
        type: 'request',
        call,
        status: c.res.status,
        seconds: (performance.now() - start) / 1000,
      });
      return call;
    };
    await inRequest(scope, () => (spans ? inSpan(spans, c, reference, answer) : answer()));
  };
}

function inSpan(spans: Spans, c: Context, reference: string, answer: () => Promise<string>): Promise<void> {
  const attributes = { 'http.request.method': c.req.method, 'cellar_door.request': reference };
  return spans.run({ name: c.req.method, kind: 'server', attributes }, async (notes) => {
    const call = await answer();
    notes.rename(`${c.req.method} ${call}`);
    notes.set({ 'http.route': call, 'http.response.status_code': c.res.status });
    if (c.res.status >= 500) notes.fail();
  });
}

/** A call name from a small set, for any path: it becomes a label. */
function callOf(c: Context, { call }: RequestScope): string {
  if (call !== null) return call;
  if (!c.req.path.startsWith('/api/')) return WEB;
  // The route of the last handler that ran.
  const pattern = routePath(c);
  return pattern.includes('*') ? UNKNOWN : pattern;
}
