import type { MiddlewareHandler } from 'hono';
import {
  API_VERSION,
  API_VERSION_HEADER,
  authErrorCode,
  weakPasswordReasons,
} from '../../contract/auth/auth-error-codes.ts';
import type { Bearer } from '../auth/app-sessions/bearer.ts';

/**
 * Adds `error_code` to refusals of sign-in calls, as clients of Supabase Auth know it. Those that ask for it by their
 * version find it in `code` too, with the version in the answer. docs/rules/api.md, "Signing in over the API".
 */
export function authErrors(): MiddlewareHandler<{ Variables: { bearer?: Bearer } }> {
  return async (c, next) => {
    await next();
    const { status, headers } = c.res;
    if (status < 400 || !headers.get('content-type')?.startsWith('application/json')) return;
    const body = (await c.res.json()) as Parameters<typeof authErrorCode>[0];
    const request = {
      token: tokenOf({ bearer: c.get('bearer'), path: c.req.path }),
      refreshes: c.req.query('grant_type') === 'refresh_token',
      signsUp: c.req.path.includes('/signup'),
    };
    const error_code = authErrorCode(body, request);
    const reasons = weakPasswordReasons(body, request);
    const version = c.req.header(API_VERSION_HEADER) ?? '';
    const isVersioned = /^\d{4}-\d\d-\d\d$/.test(version) && version >= API_VERSION;
    const error = {
      ...body,
      ...(error_code && { error_code }),
      ...(error_code && isVersioned && { code: error_code }),
      ...(reasons && { weak_password: { reasons } }),
    };
    headers.delete('content-length');
    if (isVersioned) headers.set(API_VERSION_HEADER, API_VERSION);
    c.res = new Response(JSON.stringify(error), { status, headers });
  };
}

type Token = Parameters<typeof authErrorCode>[1]['token'];

function tokenOf({ bearer, path }: { bearer: Bearer | undefined; path: string }): Token {
  if (!bearer || bearer.kind === 'none') return 'none';
  if (bearer.kind === 'unknown') return bearer.ended ? 'ended' : 'wrong';
  // While a sign-in waits for its code, reading the user works: a refusal says that it waits no longer.
  return bearer.kind === 'second step' && !path.endsWith('/user') ? 'waiting' : 'ended';
}
