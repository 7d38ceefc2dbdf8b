import { z } from 'zod';
import { DELETE, GET, id, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

const session = z.object({
  id,
  /** The User-Agent at sign-in. */
  user_agent: z.string().nullable(),
  /** The shared tablet on which the PIN was typed; null for any other device. */
  tablet: z.string().nullable(),
  /** True for an app that holds tokens, false for a browser. */
  app: z.boolean(),
  signed_in_at: timestamp,
  /** Accurate to the hour. */
  last_used_at: timestamp,
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const sessions = {
  list: GET('/sessions', {
    summary: "List the signed-in user's sessions",
    description: 'Last used first.',
  }).output(z.array(session)),
  delete: DELETE('/sessions/{id}', { summary: 'Sign out one other device' })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id }))
    .output(z.object({ ended: z.number().int() })),
  deleteOthers: POST('/sessions/delete-others', { summary: 'Sign out every other device' })
    .input(z.strictObject({}))
    .output(z.object({ ended: z.number().int() })),
};
