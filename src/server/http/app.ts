import { getConnInfo } from '@hono/node-server/conninfo';
import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { ORPCError, onError } from '@orpc/server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Refusal } from '../../domain/refusal.ts';
import { mustEnrollTwoFactor } from '../api/authorize.ts';
import { errorResponse, serializeError, toContractError } from '../api/errors.ts';
import { api } from '../api/router.ts';
import { bearerToken, readAccessToken } from '../auth/api-clients/access-tokens.ts';
import { tokenEndpoint } from '../auth/api-clients/token-endpoint.ts';
import { type Auth, ownOrigins } from '../auth/better-auth.ts';
import { oauthCallback } from '../auth/linked-accounts/oauth-callback.ts';
import { readSession } from '../auth/sessions/session.ts';
import type { CaptchaConfig } from '../config/captcha.ts';
import type { Services } from '../context.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import type { MemberEvents } from '../realtime/member-events.ts';
import { openApiDocument } from './openapi.ts';
import { sameOrigin, securityHeaders } from './security-headers.ts';

export interface AppDeps extends Services {
  auth: Auth;
  live: MemberEvents;
  publicUrl: string;
  /** Null where none is configured. */
  captcha: CaptchaConfig | null;
  /** Staff without a second factor may set one up, and nothing else. */
  staffNeedTwoFactor: boolean;
  /** Believe X-Forwarded-For: only behind a proxy that sets it itself. */
  trustProxy: boolean;
  /** Answers for everything outside /api: the built web app. Absent in tests of the API. */
  web?: (c: Context) => Response | Promise<Response>;
}

const MAX_BODY_BYTES = 64 * 1024;
/** A comment in quiet streams, so that no proxy takes them for dead. */
const HEARTBEAT_MS = 20_000;

/** Refusals that may be somebody trying doors; the rest are people's everyday mistakes. */
const WATCHED = new Set<string>(['NOT_ALLOWED', 'TWO_FACTOR_REQUIRED', 'TOO_MANY_ATTEMPTS']);

/** The whole HTTP surface: identity, API, webhook, session, OpenAPI document and the web app. */
export function createApp({
  auth,
  live,
  publicUrl,
  captcha,
  staffNeedTwoFactor,
  trustProxy,
  web,
  ...services
}: AppDeps): Hono {
  const app = new Hono();
  const { log } = services;

  const handler = new OpenAPIHandler(api, {
    eventIteratorKeepAliveInterval: HEARTBEAT_MS,
    clientInterceptors: [
      ({ next, path, procedure, context }) => {
        const posted = procedure['~orpc'].route.method === 'POST';
        const json = context.headers.get('content-type')?.startsWith('application/json');
        if (path[0] === 'auth' && posted && !json) {
          throw toContractError(new Refusal('UNSUPPORTED_MEDIA_TYPE'));
        }
        return next();
      },
    ],
    customErrorResponseBodyEncoder: (error) => serializeError(error).body,
    interceptors: [
      onError((error, { request }) => {
        if (!(error instanceof ORPCError) || error.status >= 500) log.error({ err: error }, 'request failed');
        else if (WATCHED.has(error.code)) {
          const { pathname: path } = request.url;
          // Rate limits of sign-in have their own line: src/server/auth/audit-log.ts.
          if (error.code === 'TOO_MANY_ATTEMPTS' && path.startsWith('/api/auth/')) return;
          const from = [request.headers[CLIENT_IP_HEADER]].flat()[0];
          log.warn({ security: 'refused', code: error.code, path, from }, 'refused');
        }
      }),
    ],
  });

  app.use(securityHeaders({ https: publicUrl.startsWith('https:'), captcha }));
  app.use('/api/*', async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  });
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => errorResponse('BODY_TOO_LARGE'),
    }),
  );

  // Stripe calls from outside and signs what it sends, so this route comes before the same-origin check.
  app.post('/api/stripe/webhook', async (c) => {
    const outcome = await services.billing.handleWebhook(
      await c.req.text(),
      c.req.header('stripe-signature'),
    );
    return 'code' in outcome.body ? errorResponse(outcome.body.code) : c.json(outcome.body, outcome.status);
  });

  app.use('/api/*', sameOrigin(ownOrigins(publicUrl), log));
  app.use('/api/*', async (c, next) => {
    c.req.raw.headers.set(CLIENT_IP_HEADER, clientAddress(c, trustProxy));
    return next();
  });

  app.post('/api/auth/token', (c) => tokenEndpoint({ ...services, auth }, c.req.raw));
  app.get('/api/auth/callback/:provider{[a-z][a-z0-9-]*}', (c) =>
    oauthCallback(
      { auth, log, headers: c.req.raw.headers },
      { provider: c.req.param('provider'), query: c.req.query() },
    ),
  );
  const session = async (headers: Headers, from: 'copy' | 'database') => {
    const answer = await readSession(auth, headers, from);
    const deleted = answer.signedIn !== null && live.isDeleted(answer.signedIn.user.id);
    return from === 'copy' && deleted ? readSession(auth, headers, 'database') : answer;
  };

  app.get('/api/session', async (c) => {
    const { signedIn, cookies } = await session(c.req.raw.headers, 'copy');
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
    const user = signedIn?.user ?? null;
    const must_enrol = user !== null && mustEnrollTwoFactor(user, staffNeedTwoFactor);
    return c.json({ user: user && { ...user, must_enrol } });
  });

  let document: Promise<unknown> | undefined;
  app.get('/api/openapi.json', async (c) => {
    document ??= openApiDocument(publicUrl);
    return c.json((await document) as object);
  });

  app.all('/api/*', async (c) => {
    const cookies: string[] = [];
    const setCookies = (lines: string[]) => void cookies.push(...lines);
    const token = bearerToken(c.req.raw.headers);
    const authenticate = async (wanted: 'cached' | 'fresh') => {
      // Who brings a token is who the token says, whatever cookies come with it.
      if (token !== null) return readAccessToken(auth, services, token);
      const answer = await session(c.req.raw.headers, wanted === 'cached' ? 'copy' : 'database');
      setCookies(answer.cookies);
      if (!answer.signedIn) return null;
      const { user, session_id } = answer.signedIn;
      return { user_id: user.id, role: user.role, two_factor: user.two_factor, session_id, machine: false };
    };
    const { matched, response } = await handler.handle(c.req.raw, {
      prefix: '/api',
      context: {
        ...services,
        auth,
        headers: c.req.raw.headers,
        setCookies,
        live,
        authenticate,
        staffNeedTwoFactor,
      },
    });
    if (!matched) return errorResponse('NOT_FOUND', { what: 'route' });
    if (token !== null && response.status === 401) response.headers.set('WWW-Authenticate', 'Bearer');
    for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
    // Nginx would hold events back until it has a bufferful.
    if (response.headers.get('content-type') === 'text/event-stream') {
      response.headers.set('X-Accel-Buffering', 'no');
    }
    return response;
  });

  if (web) app.get('*', web);
  app.notFound(() => errorResponse('NOT_FOUND', { what: 'route' }));
  app.onError((error, c) => {
    log.error({ err: error }, 'request failed');
    const { status, body } = serializeError(error);
    return c.json(body, status as 500);
  });
  return app;
}

/** The connection's own address; what a proxy says it was only when told to believe it. */
function clientAddress(c: Context, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  if (forwarded) return forwarded;
  try {
    return getConnInfo(c).remote.address ?? '0.0.0.0';
  } catch {
    // Called without a connection, as tests do.
    return '0.0.0.0';
  }
}
