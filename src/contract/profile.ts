import { z } from 'zod';
import { surveyPreferences } from './applications.ts';
import { procedure, text, timestamp } from './base.ts';
import { profile as person } from './members.ts';
import { refusals } from './refusals.ts';

/**
 * No line breaks, and nothing that a mail program would turn into a link: emails greet people by a name that a stranger
 * may have typed.
 */
const NOT_A_LINK = /^(?!.*(?:[\p{Cc}\p{Zl}\p{Zp}/\\@<>]|\p{L}\.\p{L}{2}))/su;

/** Names and phone number, at sign-up and later. */
export const personName = text(80)
  .trim()
  .min(1, 'Required')
  .regex(NOT_A_LINK, 'A name cannot contain a link or a line break.');
export const phoneNumber = text(40).trim();

/** The five ratings that count now, and when they were given. */
const taste = z.object({ ratings: surveyPreferences, changed_at: timestamp });
export type Taste = z.infer<typeof taste>;

export const profile = {
  /** Changes the fields that are sent. The email cannot be changed here. */
  update: procedure
    .route({ method: 'PATCH', path: '/profile' })
    .input(
      z.strictObject({
        first_name: personName.optional(),
        last_name: personName.optional(),
        /** Empty or null removes it. */
        phone: phoneNumber.nullable().optional(),
      }),
    )
    .output(person),
  /** The signed-in member's taste; null until all five are answered. */
  getTaste: procedure.route({ method: 'GET', path: '/profile/taste' }).output(taste.nullable()),
  /** For members and former members without a pending application. */
  updateTaste: procedure
    .route({ method: 'PUT', path: '/profile/taste' })
    .errors(refusals('TASTE_IN_APPLICATION'))
    .input(surveyPreferences)
    .output(taste),
};
