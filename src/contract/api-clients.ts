import { z } from 'zod';
import { id, procedure, text, timestamp } from './base.ts';
import { refusals } from './refusals.ts';

export const apiClient = z.object({
  /** Its client_id. */
  id,
  name: z.string(),
  created_at: timestamp,
  /** When it last asked for a token; null before the first time. */
  last_used_at: timestamp.nullable(),
});
export type ApiClient = z.infer<typeof apiClient>;

/**
 * Machines that use this API in the signed-in person's name: docs/decisions/0010-tokens.md. What is made here is
 * exchanged at POST /auth/token for an access token.
 */
export const apiClients = {
  /** Newest first. */
  list: procedure.route({ method: 'GET', path: '/api-clients' }).output(z.array(apiClient)),
  /** The secret is told in this answer, and never again. */
  create: procedure
    .route({ method: 'POST', path: '/api-clients' })
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'TOO_MANY_ATTEMPTS', 'TOO_MANY_MACHINES'))
    .input(
      z.strictObject({
        name: text(60).trim().min(1, 'Required'),
        password: z.string().min(1, 'Required').max(128),
      }),
    )
    .output(z.object({ client_id: id, client_secret: z.string() })),
  /** It has no access from this moment on. */
  delete: procedure
    .route({ method: 'DELETE', path: '/api-clients/{id}' })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id }))
    .output(z.object({ ended: z.string() })),
};
