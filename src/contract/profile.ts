import { z } from 'zod';
import { surveyPreferences } from './applications.ts';
import { GET, PATCH, POST, PUT, timestamp } from './base.ts';
import { personName, phoneNumber } from './forms/person.ts';
import { profile as person } from './members.ts';
import { refusals } from './refusals.ts';
import { text } from './text.ts';

const taste = z.object({ ratings: surveyPreferences, changed_at: timestamp });
export type Taste = z.infer<typeof taste>;

export const profile = {
  update: PATCH('/profile', {
    summary: "Change the signed-in user's name or phone number",
    description: 'Changes the fields that are sent. The email cannot be changed here.',
  })
    .input(
      z.strictObject({
        first_name: z.optional(personName),
        last_name: z.optional(personName),
        /** Empty or null removes the number. */
        phone: z.nullish(phoneNumber),
      }),
    )
    .output(person),
  agree: POST('/profile/consent', {
    summary: 'Agree to what the club asks of an imported user',
    description: 'With the version of the words that were shown: `consent_due` of the membership.',
  })
    .errors(refusals('CONSENT_OUTDATED'))
    .input(z.strictObject({ consent_version: text(64).min(1) }))
    .output(z.object({ agreed: z.literal(true) })),
  getTaste: GET('/profile/taste', {
    summary: "Get the signed-in member's taste",
    description: 'Null until all five are answered.',
  }).output(taste.nullable()),
  updateTaste: PUT('/profile/taste', {
    summary: "Change the signed-in member's taste",
    description: 'For members and former members without a pending application.',
  })
    .errors(refusals('TASTE_IN_APPLICATION'))
    .input(surveyPreferences)
    .output(taste),
};
