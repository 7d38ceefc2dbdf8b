import { z } from 'zod';
import { GIFT_OBSTACLES } from '../../domain/membership/gift.ts';

export const GIFT_REFUSALS = {
  GIFT_CODE_UNKNOWN: {
    status: 404,
    message: 'This code doesn’t match a gift. Please check it.',
  },
  GIFT_REFUSED: {
    status: 409,
    message: 'That isn’t possible for this gift.',
    data: z.object({ reason: z.enum(GIFT_OBSTACLES) }),
  },
  GIFT_DAY_REFUSED: { status: 422, message: 'Please enter an email and choose a day within the next year.' },
};
