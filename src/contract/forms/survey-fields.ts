import '../messages.ts';
import * as z from 'zod/mini';
import { RATING_MAX, RATING_MIN } from '../../domain/application.ts';

/** An answer of the survey. */
export const surveyRating = z
  .number()
  .check(z.int('Expected integer, received float'), z.gte(RATING_MIN), z.lte(RATING_MAX));
