import '../messages.ts';
import * as z from 'zod/mini';

/** As `text` (text.ts), for what a form checks too: browsers load zod's small build (docs/decisions/forms.md). */
export const textField = (max: number, message?: string) =>
  z.string().check(z.maxLength(max, { abort: true, error: message }));

export const trimmedField = (max: number) => textField(max).check(z.trim());

/** Refused with `missing` if it is empty or only spaces. */
export const requiredField = (max: number, missing: string) =>
  trimmedField(max).check(z.minLength(1, missing));

/** A calendar day, YYYY-MM-DD. Postgres has no year 0. */
export const day = textField(10, 'Invalid date').check(z.iso.date(), z.regex(/^(?!0000)/, 'Enter a day.'));
