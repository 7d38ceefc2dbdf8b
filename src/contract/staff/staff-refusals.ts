import { z } from 'zod';
import { END_OBSTACLES } from '../../domain/membership/end.ts';
import { PERSONAL_EMAIL_OBSTACLES } from '../../domain/reports/members-at-risk.ts';

/** The part of the table of refusals about the work of staff. */
export const STAFF_REFUSALS = {
  END_REFUSED: {
    status: 409,
    message: 'This membership can’t be ended or kept right now.',
    data: z.object({ reason: z.enum(END_OBSTACLES) }),
  },
  LETTER_REFUSED: {
    status: 409,
    message: 'This member can’t be emailed right now.',
    data: z.object({ reason: z.enum(PERSONAL_EMAIL_OBSTACLES) }),
  },
} as const;
