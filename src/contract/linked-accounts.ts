import { z } from 'zod';
import { procedure, timestamp } from './base.ts';
import { refusals } from './refusals.ts';

const provider = z.string().min(1).max(40);

export const identity = z.object({
  /** In addresses, such as google. */
  provider,
  /** As people call it. */
  label: z.string(),
  /** Null where it is offered and nothing is linked. */
  linked_at: timestamp.nullable(),
});
export type Identity = z.infer<typeof identity>;

/** Accounts elsewhere that sign a person in here. Linking is a way through the provider: src/server/auth/http.ts. */
export const identities = {
  /** Those that the venue offers, in its order, then others that are still linked. */
  mine: procedure.route({ method: 'GET', path: '/identities' }).output(z.array(identity)),
  unlink: procedure
    .route({ method: 'DELETE', path: '/identities/{provider}' })
    .errors(refusals('NOT_FOUND', 'LAST_WAY_IN'))
    .input(z.strictObject({ provider }))
    .output(z.object({ unlinked: z.string() })),
};
