import { oc } from '@orpc/contract';
import { z } from 'zod';
import { refusals } from '../refusals.ts';
import { providerId } from './credentials.ts';

const tokenInput = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.uuid(),
  client_secret: z.string(),
});

type Content = Record<string, object>;

/**
 * Calls with the shapes of OAuth instead of ours: a form, and a redirect. They are answered by src/server/http/app.ts
 * rather than the router, and stand here so that the published document has them.
 */
export const oauth = {
  token: oc
    .route({
      method: 'POST',
      path: '/auth/token',
      summary: 'Exchange client credentials for an access token',
      description:
        'Id and secret are also read from an Authorization: Basic header. Refusals have error and error_description, too.',
      spec: (operation) => {
        const { requestBody } = operation;
        const content = requestBody && 'content' in requestBody ? (requestBody.content as Content) : {};
        const form = { 'application/x-www-form-urlencoded': content['application/json'] ?? {} };
        return { ...operation, security: [], requestBody: { required: true, content: form } };
      },
    })
    .errors(
      refusals('INVALID_CLIENT', 'UNSUPPORTED_GRANT_TYPE', 'UNSUPPORTED_MEDIA_TYPE', 'TOO_MANY_ATTEMPTS'),
    )
    .input(tokenInput)
    .output(
      z.object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        /** Seconds. */
        expires_in: z.number().int(),
      }),
    ),
  callback: oc
    .route({
      method: 'GET',
      path: '/auth/callback/{provider}',
      summary: 'Come back from a sign-in provider',
      description: 'Redirects to a page of the web app, with the session in cookies.',
      successStatus: 302,
      successDescription: 'A redirect to /login, /two-factor, /account or /staff/settings.',
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
