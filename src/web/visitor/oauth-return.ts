/** What the server says in the address when somebody comes back from a provider: src/server/auth/linked-accounts/oauth-callback.ts. */
export interface ProviderReturn {
  /** The provider that is linked now. */
  linked?: string;
  problem?: string;
}

/** `validateSearch` of the pages a way to a provider ends at. */
export function readReturn(search: Record<string, unknown>): ProviderReturn {
  const { linked, problem } = search;
  return {
    ...(typeof linked === 'string' ? { linked } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
  };
}

const texts: Record<string, string> = {
  cancelled: 'You said no at the other side, so nothing was changed.',
  expired: 'That took too long, or began in another window. Please try again.',
  'not-linked': 'No account is linked to this. Sign in with your password and link it on your account page.',
  taken: 'That one is linked to another account here. Unlink it there first, or use a different one.',
  unconfirmed:
    'Please confirm your mail address first, by the link we sent. Signing in with your password sends a new one.',
  'too-many': 'Too many attempts. Please wait a moment and try again.',
};

export function returnProblem(problem: string): string {
  return texts[problem] ?? 'That did not work. Please try again, or sign in with your password.';
}
