import { z } from 'zod';
import { surveyPreferences } from './applications.ts';
import { procedure, text } from './base.ts';
import { profile as person } from './members.ts';

/** Names and phone number as typed, at sign-up and later. */
export const personName = text(80).trim().min(1, 'Required');
export const phoneNumber = text(40).trim();

export const profile = {
  /** Changes the given fields of the signed-in customer's profile. The email cannot be changed. */
  update: procedure
    .route({ method: 'PATCH', path: '/profile' })
    .input(
      z.strictObject({
        first_name: personName.optional(),
        last_name: personName.optional(),
        /** Empty or null deletes it. */
        phone: phoneNumber.nullable().optional(),
      }),
    )
    .output(person),
  /** The signed-in customer's five survey ratings, null before they have answered. */
  getTaste: procedure.route({ method: 'GET', path: '/profile/taste' }).output(surveyPreferences.nullable()),
};
