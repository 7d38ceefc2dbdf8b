import { createAuthMiddleware } from 'better-auth/api';

export type Hook = ReturnType<typeof createAuthMiddleware>;

export const inOrder = (...hooks: Hook[]): Hook =>
  createAuthMiddleware(async (ctx) => {
    for (const hook of hooks) await hook(ctx);
  });

const SIGNS_IN = /^\/(sign-(in|up)\/|callback\/|passkey\/verify-authentication$)/;

/** Ends the previous session when a signed-in user signs in again. */
export const endReplacedSession = createAuthMiddleware(async (ctx) => {
  const { newSession, authCookies, internalAdapter, secret } = ctx.context;
  if (!newSession || !SIGNS_IN.test(ctx.path)) return;
  const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  if (token && token !== newSession.session.token) await internalAdapter.deleteSession(token);
});

/** Runs the library's second-factor check, which follows a password, after a linked account as well. */
export function alsoAfterCallback<
  Plugin extends { hooks: { after: { matcher(ctx: { path?: string }): boolean }[] } },
>(plugin: Plugin): Plugin {
  for (const hook of plugin.hooks.after) {
    const { matcher } = hook;
    hook.matcher = (ctx) => matcher(ctx) || ctx.path?.startsWith('/callback/') === true;
  }
  return plugin;
}
