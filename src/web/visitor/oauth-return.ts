/** The search parameters of a return from a provider, written by src/server/auth/linked-accounts/oauth-callback.ts. */
export interface OAuthReturn {
  linked?: string;
  problem?: string;
}

/** `validateSearch` of the pages that a provider returns to. */
export function readReturn(search: Record<string, unknown>): OAuthReturn {
  const { linked, problem } = search;
  return {
    ...(typeof linked === 'string' ? { linked } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
  };
}

const texts: Record<string, string> = {
  cancelled: 'You canceled at the provider. Nothing was changed.',
  expired: 'That took too long, or started in another window. Please try again.',
  'not-linked':
    'This account is not linked yet. Sign in with your password, then link it on your account page.',
  taken: 'This account is linked to another user here. Unlink it there first, or use a different one.',
  unconfirmed:
    'Please confirm your email first, with the link we sent you. Sign in with your password to get a new link.',
  'too-many': 'Too many attempts. Please wait a moment and try again.',
};

export function returnErrorText(problem: string): string {
  return texts[problem] ?? 'That did not work. Please try again, or sign in with your password.';
}
