import { oc } from '@orpc/contract';
import { z } from 'zod';
import { procedure, type Spec } from '../base.ts';
import { refusals } from '../refusals.ts';

/** Open to everybody, signed in or not. */
export const open = oc.errors(refusals('TOO_MANY_ATTEMPTS'));
/** For the signed-in user; staff who must set up their second factor may call these. */
export const own = procedure.errors(refusals('TOO_MANY_ATTEMPTS'));
export const withPassword = own.errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD'));

export const done = z.object({ ok: z.literal(true) });

/** The password of these calls may also come in a header, percent-encoded: some clients can add no field. */
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
