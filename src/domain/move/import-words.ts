import type { RowProblem } from './import-row.ts';

/** What is wrong with a row, and what to do about it. */
export const PROBLEM_TEXT: Record<RowProblem, string> = {
  email_missing: 'There is no email.',
  email_wrong: 'This is not an email.',
  email_twice: 'An earlier row has the same email.',
  has_account: 'There is an account with this email already. It stays as it is.',
  name_missing: 'First or last name is missing.',
  name_wrong: 'A name has at most 80 characters, and no link or line break.',
  phone_long: 'A phone number has at most 40 characters.',
  birthday_wrong: 'This is no birthday. Write 1990-12-31, 31.12.1990 or 31.12.',
  tier_unknown: 'There is no tier of this name. Correct it, or add the tier first.',
  member_since_wrong: 'This is no day. Write 2020-12-31 or 31.12.2020.',
  member_since_future: '“Member since” is in the future.',
  reference_long: 'A payment reference has at most 100 characters.',
  reference_without_tier: 'A payment reference needs a tier.',
  glasses_wrong: 'Glasses left are a number from 0 to 100.',
  glasses_without_reference:
    'Glasses left need a payment reference: without a payment there is no membership.',
  tags_many: 'A member has at most 20 tags.',
  tag_long: 'A tag has at most 30 characters.',
  venue_tags_full: 'The venue has 200 tags at most, and this would be one more.',
  allergies_long: 'Allergies have at most 300 characters.',
  notes_long: 'A note has at most 2,000 characters, and a row 50 notes.',
  changed_meanwhile: 'Something changed while it was being imported. Import this row again.',
};

/** Why undoing an import leaves someone. */
export const KEPT_REASONS = ['signed_in', 'poured', 'pays_by_card', 'applied', 'changed', 'staff'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

export const KEPT_TEXT: Record<KeptReason, string> = {
  signed_in: 'They have set a password or signed in.',
  poured: 'Pours were recorded, or a card was made.',
  pays_by_card: 'They pay by card.',
  applied: 'They have applied for a membership.',
  changed: 'Their record was changed since.',
  staff: 'They are staff now.',
};

/** How a row ended. */
export const ROW_OUTCOMES = ['imported', 'refused', 'undone', 'kept'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

export const IMPORT_STATUSES = [
  'uploading',
  'checking',
  'checked',
  'importing',
  'imported',
  'undoing',
  'undone',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** The next one waits until it is over: imports go one after another. */
export const OPEN_STATUSES = [
  'uploading',
  'checking',
  'checked',
  'importing',
  'undoing',
] as const satisfies readonly ImportStatus[];

/** After that the file's rows are deleted, and the import cannot be undone any more. */
export const ROWS_KEPT_DAYS = 30;
