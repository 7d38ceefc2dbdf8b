import { z } from 'zod';
import { procedure, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

/** A card code for paper: it does not expire, and is valid until the member replaces it. */
const paperCard = z.object({ token: z.string(), issued_at: timestamp });
export type PaperCard = z.infer<typeof paperCard>;

export const paperCards = {
  /** The signed-in member's code for paper; null before the first one is made. */
  getOwn: procedure.route({ method: 'GET', path: '/paper-cards/own' }).output(paperCard.nullable()),
  /** The same, made now if there is none. */
  issue: procedure
    .route({ method: 'POST', path: '/paper-cards' })
    .input(z.strictObject({}).default({}))
    .errors(refusals('CUSTOMER_NOT_ACTIVE'))
    .output(paperCard),
  /** A new code; every earlier one of this member stops working. Five times a day. */
  replace: procedure
    .route({ method: 'POST', path: '/paper-cards/replace' })
    .input(z.strictObject({}).default({}))
    .errors(refusals('CUSTOMER_NOT_ACTIVE', 'TOO_MANY_ATTEMPTS'))
    .output(paperCard),
};
