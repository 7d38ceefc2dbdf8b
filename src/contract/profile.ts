import { z } from 'zod';
import { surveyPreferences } from './applications.ts';
import { procedure, text } from './base.ts';
import { profile as person } from './members.ts';

/** Names and phone number, at sign-up and later. */
export const personName = text(80).trim().min(1, 'Required');
export const phoneNumber = text(40).trim();

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
  /** The signed-in member's five survey ratings; null until all are answered. */
  getTaste: procedure.route({ method: 'GET', path: '/profile/taste' }).output(surveyPreferences.nullable()),
};
