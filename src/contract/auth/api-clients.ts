import { z } from 'zod';
import { API_SCOPES } from '../../domain/staff/api-scope.ts';
import { DELETE, GET, id, POST, timestamp } from '../base.ts';
import { accessName, currentPassword } from '../forms/credentials.ts';
import { refusals } from '../refusals.ts';

const apiClient = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(API_SCOPES)),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type ApiClient = z.infer<typeof apiClient>;

/** OAuth clients, such as a till, that use this API on behalf of the signed-in user: docs/decisions/apps-and-clients.md. */
export const apiClients = {
  list: GET('/api-clients', {
    summary: "List the signed-in user's API clients",
    description: 'Newest first.',
  }).output(z.array(apiClient)),
  create: POST('/api-clients', {
    summary: 'Create an API client',
    description: 'The response holds the secret; it cannot be read again.',
  })
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'TOO_MANY_API_CLIENTS'))
    .input(
      z.strictObject({
        name: accessName,
        password: currentPassword,
        /** Scopes of the client; if absent, everything that the user's role allows API clients. */
        scopes: z
          .array(z.enum(API_SCOPES))
          .min(1, 'Choose at least one')
          .max(API_SCOPES.length)
          .default([...API_SCOPES]),
      }),
    )
    .output(z.object({ client_id: id, client_secret: z.string() })),
  delete: DELETE('/api-clients/{id}', {
    summary: 'Remove an API client',
    description: 'It loses access at once.',
  })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id }))
    .output(z.object({ ended: z.string() })),
};
