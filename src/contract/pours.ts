import { z } from 'zod';
import { MAX_NOTES_LENGTH, MAX_POUR_QUANTITY, POUR_LOCATIONS } from '../domain/pour.ts';
import { id, procedure, text, timestamp } from './base.ts';
import { refusals } from './refusals.ts';

export const pour = z.object({
  id,
  quantity: z.number().int(),
  location: z.string(),
  notes: z.string().nullable(),
  status: z.string(),
  toast_reference_number: z.string(),
  created_at: timestamp,
});
export type Pour = z.infer<typeof pour>;

export const pours = {
  /** The signed-in customer's last 50 pours, newest first. Staff notes are not among the fields. */
  mine: procedure
    .route({ method: 'GET', path: '/pours/mine' })
    .output(z.array(pour.omit({ notes: true, toast_reference_number: true }))),
  /** Staff: a member's last ten, by customer id. */
  ofCustomer: procedure
    .route({ method: 'GET', path: '/customers/{customer_id}/pours' })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(pour)),
  /** Staff: records a pour. The same request_id again returns the first result. */
  record: procedure
    .route({ method: 'POST', path: '/pours', successStatus: 201 })
    .input(
      z.strictObject({
        request_id: id,
        customer_id: id,
        quantity: z.number().int().min(1).max(MAX_POUR_QUANTITY),
        location: z.enum(POUR_LOCATIONS, 'Please select a location'),
        notes: text(MAX_NOTES_LENGTH).trim().optional(),
      }),
    )
    .errors(refusals('NOT_FOUND', 'CUSTOMER_NOT_ACTIVE', 'POURS_EXCEEDED', 'REQUEST_ID_REUSED'))
    .output(z.object({ pour, pours_balance: z.number().int(), repeated: z.boolean() })),
};
