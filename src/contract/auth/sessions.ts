import { z } from 'zod';
import { id, procedure, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

const session = z.object({
  id,
  /** The User-Agent at sign-in. */
  user_agent: z.string().nullable(),
  /** True for an app that holds tokens, false for a browser. */
  app: z.boolean(),
  signed_in_at: timestamp,
  /** Accurate to the hour. */
  last_used_at: timestamp,
  /** The session that made this request. */
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

/** The signed-in user's sessions. */
export const sessions = {
  /** Last used first. */
  list: procedure.route({ method: 'GET', path: '/sessions' }).output(z.array(session)),
  /** Signs out one other device. */
  delete: procedure
    .route({ method: 'DELETE', path: '/sessions/{id}' })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id }))
    .output(z.object({ ended: z.number().int() })),
  /** Signs out every other device. */
  deleteOthers: procedure
    .route({ method: 'POST', path: '/sessions/delete-others' })
    .input(z.strictObject({}))
    .output(z.object({ ended: z.number().int() })),
};
