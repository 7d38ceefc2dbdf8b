import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { ORPCError, onError } from '@orpc/server';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import { Refusal } from '../../contract/refusals.ts';
import { deviceName } from '../../domain/staff/device-name.ts';
import type { ApiContext, AuthenticatedActor } from '../api/authorize.ts';
import { addRetryAfter, errorResponse, serializeError, toContractError } from '../api/errors.ts';
import { api } from '../api/router.ts';
import type { Bearer } from '../auth/app-sessions/bearer.ts';
import type { SessionResult, SessionUser } from '../auth/sessions/session-result.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import type { Spans } from '../platform/observe.ts';
import { currentRequest } from '../platform/request-scope.ts';
import { cleanInput } from './clean-input.ts';
import { CLIENT_GONE, CLIENT_GONE_STATUS, isClientGone } from './client-gone.ts';
import { logRefusal } from './log-refusal.ts';
import { holdsForm, isEmpty, isJson } from './media-type.ts';
import { atCurrentPath } from './old-paths.ts';
import type { ReadSession } from './session-endpoint.ts';

/** Interval of comments on a quiet stream, so that proxies do not close it. */
const HEARTBEAT_MS = 20_000;

/** Refusals that may indicate an attack; the others are everyday mistakes. */
const LOGGED_REFUSALS = new Set<string>(['NOT_ALLOWED', 'TWO_FACTOR_REQUIRED', 'TOO_MANY_ATTEMPTS']);

const CLIENT_GONE_ERROR = new ORPCError('CLIENT_GONE', { status: CLIENT_GONE_STATUS });

const MALFORMED = 'The request can’t be read. Send JSON that is well-formed, in UTF-8.';

function createHandler(log: Logger, spans: Spans | undefined) {
  /** Contexts of requests that the library could read: it does so before it calls the procedure. */
  const readRequests = new WeakSet<object>();
  return new OpenAPIHandler(api, {
    eventIteratorKeepAliveInterval: HEARTBEAT_MS,
    clientInterceptors: [
      ({ next, path, context }) => {
        readRequests.add(context);
        const call = path.join('.');
        const scope = currentRequest();
        if (scope) scope.call = call;
        return spans ? spans.run({ name: call, kind: 'internal' }, () => next()) : next();
      },
      ({ next, input }) => {
        cleanInput(input);
        return next();
      },
      ({ next, path, procedure, context }) => {
        const isPost = procedure['~orpc'].route.method === 'POST';
        const { headers } = context;
        if ((path[0] === 'auth' || path[0] === 'tokens') && isPost && !isJson(headers) && !isEmpty(headers)) {
          throw toContractError(new Refusal('UNSUPPORTED_MEDIA_TYPE'));
        }
        return next();
      },
    ],
    customErrorResponseBodyEncoder: (error) => serializeError(error).body,
    interceptors: [
      onError((error, { request, context }) => {
        if (error === CLIENT_GONE_ERROR) return log.debug({ path: request.url.pathname }, CLIENT_GONE);
        if (!(error instanceof ORPCError) || error.status >= 500) log.error({ err: error }, 'request failed');
        else if (LOGGED_REFUSALS.has(error.code)) {
          const { pathname: path } = request.url;
          // Rate limits of sign-in have their own line: src/server/auth/audit-log.ts.
          if (error.code === 'TOO_MANY_ATTEMPTS' && path.startsWith('/api/auth/')) return;
          const from = [request.headers[CLIENT_IP_HEADER]].flat()[0] ?? '';
          const call = currentRequest()?.call ?? null;
          logRefusal({ log, flood: context.flood }, { code: error.code, call, path, from });
        }
      }),
      async ({ next, request, context }) => {
        try {
          return await next();
        } catch (error) {
          if (isClientGone(error, request.signal)) throw CLIENT_GONE_ERROR;
          if (readRequests.has(context) || error instanceof ORPCError) throw error;
          throw new ORPCError('BAD_REQUEST', { message: MALFORMED, cause: error });
        }
      },
    ],
  });
}

export interface ApiDeps
  extends Omit<ApiContext, 'headers' | 'setCookies' | 'authenticate' | 'recall' | 'bearer'> {
  spans?: Spans | undefined;
}

export function apiHandler(
  deps: ApiDeps,
  readSession: ReadSession,
): (c: Context<{ Variables: { bearer: Bearer } }>) => Promise<Response> {
  const handler = createHandler(deps.log, deps.spans);
  return async (c) => {
    // A HEAD is a GET whose answer has no body: Hono leaves it out.
    const isHead = c.req.raw.method === 'HEAD';
    const current = atCurrentPath(c.req.raw);
    const request = isHead ? new Request(current, { method: 'GET' }) : current;
    const { headers } = c.req.raw;
    if (holdsForm(headers)) return errorResponse('UNSUPPORTED_MEDIA_TYPE');
    const bearer = c.get('bearer');
    const cookies: string[] = [];
    const setCookies = (lines: string[]) => void cookies.push(...lines);
    const authenticate: ApiContext['authenticate'] = async (tablets) => {
      if (bearer.kind === 'session') return actorOf(bearer.signedIn, { app: true, headers });
      if (bearer.kind === 'api client') return { ...bearer.actor, device: 'API client' };
      // A token takes precedence over cookies.
      if (bearer.kind !== 'none') return null;
      const { signedIn, cookies } = await readSession(headers, request.method !== 'GET');
      setCookies(cookies);
      if (signedIn?.bar_device && tablets !== 'tablets too') return null;
      return signedIn && actorOf(signedIn, { app: false, headers });
    };
    const recall: ApiContext['recall'] = () => {
      const session = bearer.kind === 'none' ? deps.auth.sessions.recall(headers.get('cookie') ?? '') : null;
      if (!session) return null;
      const { id: session_id, user_id: id, role, two_factor } = session;
      const actor = actorOf({ session_id, user: { id, role, two_factor } }, { app: false, headers });
      return { ...actor, remembered_session: session };
    };
    const { matched, response } = await handler.handle(request, {
      prefix: '/api',
      context: { ...deps, headers, bearer, setCookies, authenticate, recall },
    });
    if (!matched) return errorResponse('NOT_FOUND', { what: 'route' });
    await addRetryAfter(response);
    // A stream of changes would stay open.
    if (isHead) await response.body?.cancel();
    if (bearer.kind !== 'none' && response.status === 401) response.headers.set('WWW-Authenticate', 'Bearer');
    for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
    // Prevents Nginx from buffering the events.
    if (response.headers.get('content-type') === 'text/event-stream') {
      response.headers.set('X-Accel-Buffering', 'no');
    }
    return response;
  };
}

type SignedIn = Omit<NonNullable<SessionResult['signedIn']>, 'user'> & {
  user: Pick<SessionUser, 'id' | 'role' | 'two_factor'>;
};

export const actorOf = (
  { user: { id, role, two_factor }, session_id, bar_device }: SignedIn,
  { app, headers }: { app: boolean; headers: Headers },
): AuthenticatedActor => ({
  user_id: id,
  role,
  two_factor,
  session_id,
  api_client: false,
  scopes: [],
  app,
  device: bar_device ? `${bar_device.name} (tablet)` : deviceName(headers.get('user-agent'), app),
  ...(bar_device && { bar_device_id: bar_device.id }),
});
