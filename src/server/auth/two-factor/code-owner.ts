import { createAuthEndpoint, type createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

export interface CodeOwner {
  user_id: string;
  /** The id of the session in which a factor is set up, or of the sign-in that waits for its second step. */
  id: string;
  expires_at: Date;
  /** False for a sign-in that waits for its second step. */
  signed_in: boolean;
}

/** The signed-in user, or the user whose sign-in waits for a code; null for others. */
export async function findCodeOwner(
  ctx: Pick<HookContext, 'context' | 'getSignedCookie'>,
): Promise<CodeOwner | null> {
  const signedIn = await getSessionFromCtx(ctx as HookContext);
  if (signedIn) {
    const { id, userId: user_id, expiresAt: expires_at } = signedIn.session;
    return { user_id, id, expires_at, signed_in: true };
  }
  const { createAuthCookie, internalAdapter, secret } = ctx.context;
  const challenge = await ctx.getSignedCookie(createAuthCookie('two_factor').name, secret);
  const record = challenge ? await internalAdapter.findVerificationValue(challenge) : null;
  return record && { user_id: record.value, id: record.id, expires_at: record.expiresAt, signed_in: false };
}

/** Makes `findCodeOwner` callable with a request's headers: auth.api.getCodeOwner. No HTTP path leads to it. */
export const codeOwnerPlugin = {
  id: 'code-owner',
  endpoints: {
    getCodeOwner: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, findCodeOwner),
  },
};
