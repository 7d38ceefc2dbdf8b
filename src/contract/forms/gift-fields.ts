import * as z from 'zod/mini';
import { textWithoutLink } from '../../domain/club/link.ts';
import { GIFT_MESSAGE_LENGTH, GIFT_NAME_LENGTH } from '../../domain/membership/gift.ts';
import { contactEmail } from './credentials.ts';
import { personName } from './person.ts';
import { day, textField, trimmedField } from './text-field.ts';

const name = personName.check(z.maxLength(GIFT_NAME_LENGTH));
/** No links: an email carries the message to a person who may not know the buyer. */
const message = trimmedField(GIFT_MESSAGE_LENGTH).check(
  z.regex(textWithoutLink('<[a-z!/]'), 'A message can’t contain a link. Leave a space after each full stop.'),
);

/** Where and when the email with a gift goes; the day is one at the venue. */
export const giftEmail = {
  recipient_email: contactEmail,
  send_on: day,
};

export const giftFields = {
  from_name: name,
  to_name: name,
  message: z.optional(message),
  recipient_email: z.optional(giftEmail.recipient_email),
  send_on: z.optional(giftEmail.send_on),
};

export const giftCode = textField(60);
