import { WORDING_LENGTHS } from '../../domain/club/emails.ts';
import { trimmedField } from './text-field.ts';

/** The venue's wording of an email. */
export const wordingFields = {
  /** One line; empty for the product's own subject. */
  subject: trimmedField(WORDING_LENGTHS.subject),
  /** Shown before the product's text; each line is a paragraph. */
  opening: trimmedField(WORDING_LENGTHS.opening),
  /** Shown after the product's text; each line is a paragraph. */
  closing: trimmedField(WORDING_LENGTHS.closing),
};
