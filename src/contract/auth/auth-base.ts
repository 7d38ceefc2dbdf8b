import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { POST, Spec } from '../base.ts';
import { refusals } from '../refusals.ts';

/** The base of calls without a session. */
export const open = oc.errors(refusals('TOO_MANY_ATTEMPTS'));
export const openPost = (...[path, texts]: Parameters<typeof POST>) =>
  open.route({ ...texts, method: 'POST', path });

export const done = z.object({ ok: z.literal(true) });

/** Clients that cannot add a field may send the password in a header, percent-encoded. */
export const PASSWORD_HEADER = 'x-password';

export const orInHeader: Spec = (operation) => ({
  ...operation,
  parameters: [
    ...(operation.parameters ?? []),
    {
      name: PASSWORD_HEADER,
      in: 'header',
      description: 'The password, percent-encoded, instead of the field `password`.',
      schema: { type: 'string' },
    },
  ],
});
