import { oc } from '@orpc/contract';
import { z } from 'zod';
import { procedure, type Spec } from '../base.ts';
import { refusals } from '../refusals.ts';

/** Open to everyone, signed in or not. */
export const open = oc.errors(refusals('TOO_MANY_ATTEMPTS'));
/** Calls for the signed-in user, including staff who still have to set up their second factor. */
export const own = procedure.errors(refusals('TOO_MANY_ATTEMPTS'));
export const withPassword = own.errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD'));

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
