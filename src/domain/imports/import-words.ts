import { ADOPTION_PROBLEMS, type AdoptionProblem, type AdoptionRemark } from './adoption.ts';
import { ROW_PROBLEMS, type RowProblem } from './import-row.ts';

/** Problems of a row in a file, and of a subscription at Stripe. */
export const IMPORT_PROBLEMS = [...ROW_PROBLEMS, ...ADOPTION_PROBLEMS] as const;
export type ImportProblem = RowProblem | AdoptionProblem;

/** The problem with a row, and how to fix it. */
export const PROBLEM_TEXT: Record<ImportProblem, string> = {
  cells_many:
    'This row has more cells than the file has column names. A text with a comma needs quotation marks around it.',
  cell_damaged:
    'A cell shows an error or part of a number, such as #REF! or 1.23E+11. Correct it in the spreadsheet, with the column formatted as text.',
  email_missing: 'The email is missing.',
  email_wrong: 'This isn’t a valid email address, or there is more than one.',
  email_twice: 'An earlier row has the same email.',
  has_account: 'This email already has an account, which won’t change.',
  name_missing: 'First or last name is missing. A full name has both, such as “Ana Ruiz” or “Ruiz, Ana”.',
  name_wrong: 'A name can have at most 80 characters, and no links.',
  phone_long: 'A phone number can have at most 40 characters.',
  birthday_wrong:
    'This isn’t a birthday we can read. Use 12/31/1990 in the order of your file, or 1990-12-31: with four digits for the year, and not in the future.',
  tier_unknown: 'There is no tier with this name. Choose one of yours for it above.',
  member_since_wrong:
    'This isn’t a date we can read. Use 12/31/2020 in the order of your file, or 2020-12-31, with four digits for the year.',
  member_since_future: '“Member since” is in the future.',
  reference_long: 'A payment reference can have at most 100 characters.',
  reference_without_tier: 'A payment reference needs a tier.',
  paid_until_wrong:
    '“Paid until” isn’t a date we can read. Use 12/31/2026 in the order of your file, or 2026-12-31.',
  paid_until_without_reference: '“Paid until” needs a payment reference.',
  paid_until_over:
    '“Paid until” is in a month that is over. Leave it empty, or enter the day until which it is paid now.',
  glasses_wrong: 'Pours left must be a number from 0 to 100.',
  glasses_without_reference:
    'Pours left need a payment reference: without a payment, there is no membership.',
  tags_many: 'A member can have at most 20 tags.',
  tag_long: 'A tag can have at most 30 characters.',
  venue_tags_full: 'The venue already has 200 tags, the most it can have.',
  allergies_long: 'Allergies can have at most 300 characters.',
  notes_long: 'A note can have at most 2,000 characters, and a row at most 50 notes.',
  changed_meanwhile: 'Something changed during the import. Import this row again.',
  email_missing_at_stripe: 'The customer has no email at Stripe. Add one there, then look again.',
  email_wrong_at_stripe: 'The customer’s email at Stripe isn’t valid. Correct it there, then look again.',
  name_missing_at_stripe:
    'The customer has no first and last name at Stripe. Add them there, then look again.',
  no_membership: 'Its price matches no tier, so it isn’t a membership. If it is one, choose the tier above.',
  membership_not_first:
    'The membership isn’t the first of its items. Give its price the metadata “tier” at Stripe, then look again.',
  several_memberships: 'It pays for more than one membership. Split it at Stripe, then look again.',
  two_subscriptions:
    'This customer, or another with the same email, has two memberships at Stripe. End one there, then look again.',
  not_monthly: 'It isn’t paid monthly. Move it to a monthly price at Stripe, then look again.',
  other_currency: 'It’s paid in a different currency from this club’s.',
  no_fixed_price: 'Its price has no fixed amount.',
  invoiced: 'It’s paid by invoice. Let Stripe charge it automatically, then look again.',
  on_schedule: 'A schedule at Stripe will change it. Release the schedule there, then look again.',
  ended: 'It has ended.',
  never_paid: 'Its first payment is still open.',
  overdue: 'A payment is overdue. Look again once it is paid.',
  stopped: 'It’s stopped at Stripe. Resume it there, then look again.',
  staff_account: 'This is the email of someone on your team.',
  account_unconfirmed:
    'This email has an account, and nothing proves that it is theirs. Ask them to confirm the email, then look again.',
  billed_at_venue: 'This member is billed at the venue. End one of the two, then look again.',
  shares: 'This member shares someone’s membership. End one of the two, then look again.',
  pays_here: 'This account already pays, or has started to pay, as another customer at Stripe.',
  taken_over: 'It’s already here.',
  other_account: 'This customer at Stripe belongs to another account here.',
};

/** Remarks for staff about a subscription that is taken over. */
export const REMARK_TEXT: Record<AdoptionRemark, string> = {
  trial: 'In a trial: all pours right away, and the first charge when it ends.',
  ending: 'Canceled: will end as planned.',
  paused: 'Paused at Stripe: no charges and no pours until it resumes.',
  discounted: 'Has a discount, which continues.',
  other_amount: 'Pays a different amount than new members, and keeps it.',
  add_ons: 'Also pays for something else, which continues.',
  other_subscription: 'Has another subscription at Stripe, which won’t change.',
  own_card:
    'Uses a card of its own. From now on, the member’s newest card at Stripe will be charged, as for all members.',
  other_program: 'Another program created it and may still change it.',
  new_password:
    'Someone else may have made the account with this email: its password stops working, and we email them a link to choose a new one.',
};

/** Why undoing an import leaves a person in place. */
export const KEPT_REASONS = [
  'signed_in',
  'poured',
  'pays_by_card',
  'charged',
  'applied',
  'changed',
  'staff',
] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

export const KEPT_TEXT: Record<KeptReason, string> = {
  signed_in: 'They have set a password or signed in.',
  poured: 'Pours were recorded, or a card was made.',
  pays_by_card: 'They pay by card.',
  charged: 'They were charged or refunded.',
  applied: 'They have applied for a membership.',
  changed: 'Their record has been changed since.',
  staff: 'They are staff now.',
};

export const ROW_OUTCOMES = ['imported', 'refused', 'undone', 'kept'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** The source of the rows: a file, or the subscriptions of a Stripe account. */
export const IMPORT_SOURCES = ['file', 'stripe'] as const;

/** reading: the server fetches the rows from Stripe. */
export const IMPORT_STATUSES = [
  'reading',
  'uploading',
  'checking',
  'checked',
  'importing',
  'imported',
  'undoing',
  'undone',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Another import waits until this one is over: only one runs at a time. */
export const OPEN_STATUSES = [
  'reading',
  'uploading',
  'checking',
  'checked',
  'importing',
  'undoing',
] as const satisfies readonly ImportStatus[];

/** Days after which the file's rows are deleted and the import can no longer be undone. */
export const ROWS_KEPT_DAYS = 30;
