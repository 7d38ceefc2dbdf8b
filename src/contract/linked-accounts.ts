import { z } from 'zod';
import { procedure, timestamp } from './base.ts';
import { refusals } from './refusals.ts';

const provider = z.string().min(1).max(40);

const linkedAccount = z.object({
  /** As in URLs: 'google'. */
  provider,
  /** The name users know it by. */
  label: z.string(),
  /** Null when offered but not linked. */
  linked_at: timestamp.nullable(),
});
export type LinkedAccount = z.infer<typeof linkedAccount>;

/** Accounts elsewhere that sign a person in here. Linking is a way through the provider: src/server/auth/http.ts. */
export const linkedAccounts = {
  /** The providers that the venue offers, in its order, then others that are still linked. */
  list: procedure.route({ method: 'GET', path: '/linked-accounts' }).output(z.array(linkedAccount)),
  unlink: procedure
    .route({ method: 'DELETE', path: '/linked-accounts/{provider}' })
    .errors(refusals('NOT_FOUND', 'LAST_WAY_IN'))
    .input(z.strictObject({ provider }))
    .output(z.object({ unlinked: z.string() })),
};
