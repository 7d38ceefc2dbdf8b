import { z } from 'zod';
import { GET, id, PATCH, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';
import { currentPassword } from './credentials.ts';
import { passkeyName } from './webauthn.ts';

const passkey = z.object({
  id,
  name: z.string(),
  created_at: timestamp,
  /** When it last signed in; null if never. */
  last_used_at: timestamp.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

/** The signed-in user's passkeys. Adding one and signing in with one: auth.ts. */
export const passkeys = {
  list: GET('/passkeys', {
    summary: "List the signed-in user's passkeys",
    description: 'Oldest first.',
  }).output(z.array(passkey)),
  rename: PATCH('/passkeys/{id}', { summary: 'Rename a passkey' })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id, name: passkeyName }))
    .output(passkey),
  delete: POST('/passkeys/{id}/remove', {
    summary: 'Remove a passkey',
    description: 'Requires the password, so that nobody removes their last way in.',
  })
    .errors(refusals('NOT_FOUND', 'WRONG_PASSWORD', 'NO_PASSWORD', 'TOO_MANY_ATTEMPTS'))
    .input(z.strictObject({ id, password: currentPassword }))
    .output(z.object({ removed: z.literal(true) })),
};
