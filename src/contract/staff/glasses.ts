import { z } from 'zod';
import { GIVEN_KINDS, isGivable } from '../../domain/glasses.ts';
import { MAX_POUR_QUANTITY } from '../../domain/pour.ts';
import { id, POST } from '../base.ts';
import { reason } from '../forms/pour-fields.ts';
import { refusals } from '../refusals.ts';

export const glasses = {
  give: POST('/customers/{customer_id}/glasses', {
    summary: 'Give a member pours, or take some back',
    description:
      'For the running billing period; never below what was poured. The same request_id again returns what the first one left.',
    successStatus: 201,
  })
    .input(
      z
        .strictObject({
          request_id: id,
          customer_id: id,
          kind: z.enum(GIVEN_KINDS),
          /** Only a correction can be negative, to take glasses back. */
          glasses: z.number().int().min(-MAX_POUR_QUANTITY).max(MAX_POUR_QUANTITY),
          reason,
        })
        .refine(isGivable, { path: ['glasses'], message: 'Enter 1 or more' }),
    )
    .errors(refusals('NOT_FOUND', 'CUSTOMER_NOT_ACTIVE', 'POURS_EXCEEDED', 'REQUEST_ID_REUSED'))
    .output(z.object({ pours_balance: z.number().int(), repeated: z.boolean() })),
};
