import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { Refusal } from '../../contract/refusals.ts';
import { BUILD_HEADER } from '../../contract/site.ts';
import { errorResponse, serializeError, unavailableResponse } from '../api/errors.ts';
import { tokenEndpoint } from '../auth/api-clients/token-endpoint.ts';
import type { Bearer } from '../auth/app-sessions/bearer.ts';
import { type Auth, ownOrigins } from '../auth/better-auth.ts';
import { oauthCallback } from '../auth/linked-accounts/oauth-callback.ts';
import { WEBHOOK_PATH } from '../billing/setup/webhook-endpoint.ts';
import { handleWebhook } from '../billing/upkeep/webhook.ts';
import type { EnvSettings } from '../config/settings.ts';
import type { Services } from '../context.ts';
import { noteUnavailable } from '../db/pool.ts';
import type { Readiness } from '../monitoring/readiness.ts';
import { CLIENT_IP_HEADER, networkOf } from '../platform/client-ip.ts';
import { createFloodLimit, NO_FLOOD_LIMIT } from '../platform/flood-limit.ts';
import type { Spans } from '../platform/observe.ts';
import type { MemberEvents } from '../realtime/member-events.ts';
import { apiHandler } from './api-handler.ts';
import { mountAppleWallet } from './apple-wallet.ts';
import { authErrors } from './auth-errors.ts';
import { bearerTokens } from './bearer-tokens.ts';
import { CLIENT_GONE, clientGoneResponse, isClientGone } from './client-gone.ts';
import { CSP_REPORT_PATH, cspReports } from './csp-reports.ts';
import { mountApiDocs } from './docs/api-docs.ts';
import { decodeHash } from './encoded-hash.ts';
import { cacheControl, unchangedPictures } from './kept-answers.ts';
import { limitBodies } from './limit-bodies.ts';
import { logRefusal } from './log-refusal.ts';
import { isJson, plainMediaType } from './media-type.ts';
import { mountUnsubscribe } from './one-click.ts';
import { ownMembershipReader } from './own-membership.ts';
import { buildWithClub } from './pages/club-site.ts';
import { mountPublicPages, type PublicPages } from './pages/public-pages.ts';
import type { WebHandler } from './pages/static-files.ts';
import { aliveResponse, PROBES, readyResponse } from './probes.ts';
import { trackRequests } from './request-tracking.ts';
import { sameOrigin, securityHeaders, setHeaders } from './security-headers.ts';
import { SECURITY_TXT_PATH, securityTxt } from './security-txt.ts';
import { pageFacts, sessionEndpoint, sessionReader } from './session-endpoint.ts';
import { mountStartOver, type StartOver } from './start-over.ts';

type Settings =
  | 'publicUrl'
  | 'captcha'
  | 'securityContact'
  | 'staffNeedTwoFactor'
  | 'limitAttempts'
  | 'trustProxy';

export interface AppDeps extends Services, Pick<EnvSettings, Settings> {
  auth: Auth;
  live: MemberEvents;
  readiness: Readiness;
  spans?: Spans | undefined;
  /** Handles everything outside /api: the built web app. Absent in tests of the API. */
  web?: WebHandler;
  /** Draws the pages that anyone can read. Absent in tests of the API. */
  publicPages?: PublicPages | undefined;
  startOver?: StartOver | undefined;
  /** The web app's build id. Older pages compare it and reload. */
  build?: string;
}

/** The whole HTTP surface: API, webhook, session, OpenAPI document and the web app. */
export function createApp({
  web,
  build,
  publicPages,
  startOver,
  trustProxy,
  captcha,
  publicUrl,
  limitAttempts,
  ...deps
}: AppDeps): Hono<{ Variables: { bearer: Bearer } }> {
  const { auth, log, billing, readiness } = deps;
  const flood = limitAttempts ? createFloodLimit(deps.now) : NO_FLOOD_LIMIT;
  const app = new Hono<{ Variables: { bearer: Bearer } }>();
  const refused = (c: Context, code: string) =>
    logRefusal({ log, flood }, { code, call: null, path: c.req.path, from: clientIp(c, trustProxy) });

  // The probes come first, to bypass counting, timing, limits and logs.
  app.get(PROBES.alive, () => aliveResponse());
  app.get(PROBES.ready, async () => readyResponse(await readiness.check()));

  app.use(trackRequests(deps));
  app.use(securityHeaders({ https: publicUrl.startsWith('https:'), captcha }));
  app.use('/api/*', async (c, next) => {
    const isUnavailable = await noteUnavailable(next);
    if (isUnavailable && c.res.status === 500) c.res = unavailableResponse();
    setHeaders(c, {
      'Cache-Control': cacheControl(c.req.path, c.res),
      ...(build && { [BUILD_HEADER]: buildWithClub(build, deps.club) }),
    });
  });
  app.use('/api/auth/*', authErrors());
  app.use('/api/*', plainMediaType);
  app.use('/api/*', limitBodies());
  app.use('/api/*', unchangedPictures());

  // Stripe calls from outside and signs its requests, so this route comes before the same-origin check.
  app.post(WEBHOOK_PATH, async (c) => {
    const { body, status } = await handleWebhook(
      billing,
      await c.req.text(),
      c.req.header('stripe-signature'),
    );
    if (!('code' in body)) return c.json(body, status);
    if (body.code === 'BAD_SIGNATURE') refused(c, body.code);
    return errorResponse(body.code);
  });

  // Browsers report without naming the page, and a report changes nothing.
  app.post(CSP_REPORT_PATH, ...cspReports({ log, flood }, (c) => clientIp(c, trustProxy)));

  // Phones and mail programs call these, each with a token of its own; our pages never do.
  mountAppleWallet(app, { ...deps, flood }, (c) => clientIp(c, trustProxy));
  mountUnsubscribe(app, { ...deps, flood }, (c) => clientIp(c, trustProxy));

  app.use('/api/*', bearerTokens({ ...deps, publicUrl }));
  const fromOwnPage = sameOrigin(ownOrigins(publicUrl), (c) => refused(c, 'FOREIGN_ORIGIN'));
  // An app's request comes from no page: browsers never add its token on their own.
  app.use('/api/*', (c, next) => (c.get('bearer').kind === 'session' ? next() : fromOwnPage(c, next)));
  const nameClientIp: MiddlewareHandler = async (c, next) => {
    c.req.raw.headers.set(CLIENT_IP_HEADER, clientIp(c, trustProxy));
    return next();
  };
  app.use('/api/*', nameClientIp);

  // JSON with `grant_type` in the query comes from apps, whose calls are in the contract.
  const tokenRoute: MiddlewareHandler = async (c, next) =>
    isJson(c.req.raw.headers) && c.req.query('grant_type') ? next() : tokenEndpoint(deps, c.req.raw);
  app.post('/api/auth/token', tokenRoute);
  app.post('/api/auth/token/', tokenRoute);
  app.get('/api/auth/callback/:provider{[a-z][a-z0-9-]*}', (c) =>
    oauthCallback(
      { auth, log, headers: c.req.raw.headers },
      { provider: c.req.param('provider'), query: c.req.query() },
    ),
  );

  const readSession = sessionReader(auth, deps);
  app.get('/api/session', sessionEndpoint(readSession, deps));
  mountApiDocs(app, publicUrl);
  if (startOver) mountStartOver(app, startOver);
  app.all('/api/*', apiHandler({ ...deps, flood }, readSession));

  app.get(SECURITY_TXT_PATH, securityTxt({ ...deps, publicUrl }));
  if (publicPages) mountPublicPages(app, { ...deps, publicUrl }, publicPages);
  if (web) {
    const facts = pageFacts(readSession, ownMembershipReader({ ...deps, flood }), deps);
    app.get('*', decodeHash, nameClientIp, async (c) => {
      const page = c.req.path.replace(/\/$/, '');
      const asks = page === '' || page === '/login' || page === '/setup';
      const awaitsSetup = asks && !(await deps.firstStart.isOver());
      const isGone = page === '/setup' && !awaitsSetup;
      return web(c, (showsOwn) => facts(c, showsOwn), { gone: isGone, awaitsSetup });
    });
  }
  app.notFound(() => errorResponse('NOT_FOUND', { what: 'route' }));
  app.onError((error, c) => {
    if (isClientGone(error, c.req.raw.signal)) {
      log.debug({ path: c.req.path }, CLIENT_GONE);
      return clientGoneResponse();
    }
    if (error instanceof Refusal) return errorResponse(error.code, error.data);
    log.error({ err: error }, 'request failed');
    const { status, body } = serializeError(error);
    return c.json(body, status as 500);
  });
  return app;
}

/** The network of the connection's own IP; with TRUST_PROXY, of the one that the proxy appended. */
function clientIp(c: Context, trustProxy: boolean): string {
  const address = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  if (address) return networkOf(address);
  try {
    return networkOf(getConnInfo(c).remote.address ?? '0.0.0.0');
  } catch {
    // Tests call without a connection.
    return '0.0.0.0';
  }
}
