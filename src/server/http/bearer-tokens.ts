import type { MiddlewareHandler } from 'hono';
import { type Bearer, deviceLines, readBearer, useBearer } from '../auth/app-sessions/bearer.ts';
import type { AuthServices } from '../auth/auth-context.ts';
import type { Auth } from '../auth/better-auth.ts';

interface BearerDeps extends Pick<AuthServices, 'db'> {
  auth: Auth;
  publicUrl: string;
}

/** Authenticates a request's token. With one, only a known device's cookie passes in and out. */
export function bearerTokens({
  auth,
  publicUrl,
  ...services
}: BearerDeps): MiddlewareHandler<{ Variables: { bearer: Bearer } }> {
  return async (c, next) => {
    const { headers } = c.req.raw;
    const bearer = await readBearer(auth, services, headers);
    c.set('bearer', bearer);
    useBearer(headers, bearer, publicUrl);
    await next();
    if (bearer.kind === 'none') return;
    const lines = c.res.headers.getSetCookie();
    if (lines.length === 0) return;
    c.res.headers.delete('set-cookie');
    for (const line of deviceLines(lines, publicUrl)) c.res.headers.append('set-cookie', line);
  };
}
