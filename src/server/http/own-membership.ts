import { call } from '@orpc/server';
import { api } from '../api/router.ts';
import { type ApiDeps, actorOf } from './api-handler.ts';
import type { ReadOwn } from './session-endpoint.ts';

/**
 * Reads a member's own membership for a page, by the page's own call: with the same policy, limits and row security. Throws
 * what the call throws.
 */
export function ownMembershipReader(deps: ApiDeps): ReadOwn {
  return async (signedIn, headers) => {
    const context = {
      ...deps,
      headers,
      bearer: { kind: 'none' as const },
      setCookies: () => undefined,
      authenticate: async () => actorOf(signedIn, { app: false, headers }),
      recall: () => null,
    };
    const at = deps.now();
    const membership = await call(api.members.getOwn, undefined, { context, path: ['members', 'getOwn'] });
    return { membership, at };
  };
}
