import { z } from 'zod';
import { id, procedure, timestamp } from './base.ts';
import { refusals } from './refusals.ts';

export const session = z.object({
  id,
  /** As the browser named itself at sign-in. */
  user_agent: z.string().nullable(),
  signed_in_at: timestamp,
  /** To the hour. */
  last_used_at: timestamp,
  /** The one that asks. */
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

/** Where the signed-in person is signed in. */
export const sessions = {
  /** Last used first. */
  list: procedure.route({ method: 'GET', path: '/sessions' }).output(z.array(session)),
  /** Signs one other device out. */
  delete: procedure
    .route({ method: 'DELETE', path: '/sessions/{id}' })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id }))
    .output(z.object({ ended: z.number().int() })),
  /** Signs every other device out. */
  deleteOthers: procedure
    .route({ method: 'POST', path: '/sessions/delete-others' })
    .input(z.strictObject({}))
    .output(z.object({ ended: z.number().int() })),
};
