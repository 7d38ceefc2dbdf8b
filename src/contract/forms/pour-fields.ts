import * as z from 'zod/mini';
import { MAX_PLACE_ID_LENGTH, PLACE_ID } from '../../domain/club/places.ts';
import { MAX_NOTES_LENGTH, MAX_POUR_QUANTITY, MAX_REASON_LENGTH } from '../../domain/pour.ts';
import { requiredField, trimmedField } from './text-field.ts';

/** The wine is chosen from tiles, and offered water is confirmed with a tap. */
export const pourFields = {
  quantity: z.number().check(z.int(), z.gte(1, 'Enter 1 or more'), z.lte(MAX_POUR_QUANTITY)),
  /** The id of a place of the venue, even of one retired in the meantime. */
  location: z
    .string('Please select a location')
    .check(
      z.maxLength(MAX_PLACE_ID_LENGTH, { abort: true, error: 'Please select a location' }),
      z.regex(PLACE_ID, 'Please select a location'),
      z.describe('An id of GET /places.'),
    ),
  notes: z.optional(trimmedField(MAX_NOTES_LENGTH)),
};

/** Why a pour is voided, glasses are given, or money goes back. */
export const reason = requiredField(MAX_REASON_LENGTH, 'Please enter a reason.');
