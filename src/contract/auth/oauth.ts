import { oc } from '@orpc/contract';
import { z } from 'zod';
import { providerId } from './credentials.ts';

/**
 * A call with the shape of OAuth instead of ours: a redirect. It is answered by src/server/http/app.ts rather than the
 * router, and stands here so that the published document has it.
 */
export const oauth = {
  callback: oc
    .route({
      method: 'GET',
      path: '/auth/callback/{provider}',
      summary: 'Come back from a sign-in provider',
      description: 'Redirects to a page of the web app, with the session in cookies.',
      successStatus: 302,
      successDescription: 'A redirect to /login, /two-factor, /account/security or /staff/account.',
      spec: (operation) => ({ ...operation, security: [] }),
    })
    .input(
      z.object({
        provider: providerId,
        state: z.string().optional(),
        code: z.string().optional(),
        error: z.string().optional(),
        iss: z.string().optional(),
      }),
    ),
};
