import { z } from 'zod';
import { GIFT_OBSTACLES } from '../../domain/membership/gift.ts';

/** The refusals about gifts, as rows of REFUSALS. */
export const GIFT_REFUSALS = {
  GIFT_CODE_UNKNOWN: {
    status: 404,
    message: 'This is no code of a gift that can be redeemed. Please check it.',
  },
  GIFT_REFUSED: {
    status: 409,
    message: 'This cannot be done with this gift.',
    data: z.object({ reason: z.enum(GIFT_OBSTACLES) }),
  },
  GIFT_DAY_REFUSED: { status: 422, message: 'Please choose an email and a day from today to a year ahead.' },
};
