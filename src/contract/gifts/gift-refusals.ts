import { z } from 'zod';
import { GIFT_OBSTACLES } from '../../domain/membership/gift.ts';

export const GIFT_REFUSALS = {
  GIFT_CODE_UNKNOWN: {
    status: 404,
    message: 'No gift can be redeemed with this code. Please check it.',
  },
  GIFT_REFUSED: {
    status: 409,
    message: 'This is not possible for this gift.',
    data: z.object({ reason: z.enum(GIFT_OBSTACLES) }),
  },
  GIFT_DAY_REFUSED: { status: 422, message: 'Please choose an email and a day from today to a year ahead.' },
};
