import * as z from 'zod/mini';
import { MAX_MAILING_SUBJECT, MAX_MAILING_TEXT } from '../../domain/club/mailing.ts';
import { MAX_BENEFIT_LENGTH } from '../../domain/membership/benefit.ts';
import {
  MAX_PERSONAL_EMAIL_LENGTH,
  MAX_PERSONAL_EMAIL_SUBJECT,
} from '../../domain/reports/members-at-risk.ts';
import { MAX_ALLERGIES_LENGTH, MAX_NOTE_LENGTH, MAX_TAG_LENGTH } from '../../domain/staff/member-record.ts';
import { PIN_DIGITS } from '../../domain/staff/staff-pin.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../../domain/staff/webhook.ts';
import { requiredField, textField, trimmedField } from './text-field.ts';

const ONE_LINE = z.regex(/^\P{Cc}*$/u, 'Use one line of plain text.');

export const referenceNumber = requiredField(100, 'Toast reference number is required');
export const rejectionNotes = z.optional(trimmedField(2000));

export const memberNote = requiredField(MAX_NOTE_LENGTH, 'Please enter a note.');
export const memberTag = requiredField(MAX_TAG_LENGTH, 'Please enter a tag.');
export const allergies = z.nullable(trimmedField(MAX_ALLERGIES_LENGTH));

/** The email as staff edited and approved it. */
export const personalEmail = {
  subject: requiredField(MAX_PERSONAL_EMAIL_SUBJECT, 'Enter a subject.').check(ONE_LINE),
  text: requiredField(MAX_PERSONAL_EMAIL_LENGTH, 'Enter a text.'),
};

/** An email to the members on a list. Both may hold {first_name}. */
export const mailingFields = {
  subject: requiredField(MAX_MAILING_SUBJECT, 'Enter a subject.').check(ONE_LINE),
  text: requiredField(MAX_MAILING_TEXT, 'Enter a text.'),
};

export const benefitWords = trimmedField(MAX_BENEFIT_LENGTH);
export const tierWords = { display_name: trimmedField(60), description: trimmedField(300) };

export const tabletName = requiredField(40, 'Required');
const NOT_A_PIN = 'A PIN has four digits.';
export const pin = textField(PIN_DIGITS, NOT_A_PIN).check(
  z.regex(new RegExp(`^\\d{${PIN_DIGITS}}$`), NOT_A_PIN),
);

export const NOT_A_URL = 'Enter a URL that starts with https://';
export const webhookFields = {
  url: trimmedField(MAX_WEBHOOK_URL_LENGTH).check(z.regex(/^https:\/\/[^\s#]+$/i, NOT_A_URL)),
  description: trimmedField(100),
};
