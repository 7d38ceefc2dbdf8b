import { z } from 'zod';
import { MAILING_OBSTACLES } from '../domain/club/mailing.ts';
import { BENEFIT_OBSTACLES } from '../domain/membership/benefit.ts';
import { DUES_OBSTACLES } from '../domain/membership/dues.ts';
import { END_OBSTACLES } from '../domain/membership/end.ts';
import { GIFT_OBSTACLES } from '../domain/membership/gift.ts';
import { GUEST_GLASS_OBSTACLES } from '../domain/membership/guest-glass.ts';
import { HOUSEHOLD_OBSTACLES } from '../domain/membership/household.ts';
import { PAUSE_OBSTACLES } from '../domain/membership/pause.ts';
import { PERSONAL_EMAIL_OBSTACLES } from '../domain/reports/members-at-risk.ts';
import { API_SCOPES } from '../domain/staff/api-scope.ts';
import { REFUND_OBSTACLES } from '../domain/staff/refund.ts';
import { WEBHOOK_URL_PROBLEMS } from '../domain/staff/webhook.ts';
import { TIER_CHANGE_OBSTACLES } from '../domain/tier-change.ts';
import { TIER_OBSTACLES } from '../domain/tiers.ts';
import { bankPayment } from './bank-payment.ts';
import { consentWords } from './consent.ts';

const WHY = z.object({ why: z.string() });
const reasonOf = <const Reasons extends readonly [string, ...string[]]>(reasons: Reasons) =>
  z.object({ reason: z.enum(reasons) });

/** The only table of stable error codes. Messages are shown to people unchanged: what happened, or what to do next. */
export const REFUSALS = {
  NOT_SIGNED_IN: { status: 401, message: 'Please sign in.' },
  NOT_ALLOWED: { status: 403, message: 'You don’t have permission to do that.' },
  TWO_FACTOR_REQUIRED: { status: 403, message: 'Please set up two-step sign-in first.' },
  NOT_FOUND: { status: 404, message: 'Not found.', data: z.object({ what: z.string() }) },
  ALREADY_MEMBER: { status: 409, message: 'You already have an active membership.' },
  APPLICATION_NOT_PENDING: {
    status: 409,
    message: 'This application has already been reviewed.',
    data: z.object({ status: z.string() }),
  },
  APPLICATION_NOT_READY: { status: 409, message: 'Please finish the survey and choose a tier first.' },
  TASTE_IN_APPLICATION: {
    status: 409,
    message: 'Your taste is part of your application. Please change it there.',
  },
  JOINING_CLOSED: { status: 409, message: 'We can’t take card payments right now. Please ask at the bar.' },
  SUBSCRIPTION_EXISTS: {
    status: 409,
    message:
      'A membership with your email is already being paid, so you don’t need to pay again. The club will connect it to this account: please write to us, or ask at the bar.',
  },
  PAYMENTS_OFF: { status: 409, message: 'This club takes no cards here. Please pay at the venue.' },
  TIER_NOT_AVAILABLE: { status: 409, message: 'This tier isn’t available right now.' },
  TIER_SETTING_REFUSED: {
    status: 409,
    message: 'This tier can’t be changed this way.',
    data: reasonOf(TIER_OBSTACLES),
  },
  TIER_CHANGE_REFUSED: {
    status: 409,
    message: 'Your tier can’t be changed right now.',
    data: reasonOf(TIER_CHANGE_OBSTACLES),
  },
  PAUSE_REFUSED: {
    status: 409,
    message: 'This membership can’t be paused or resumed right now.',
    data: reasonOf(PAUSE_OBSTACLES),
  },
  END_REFUSED: {
    status: 409,
    message: 'This membership can’t be ended or kept right now.',
    data: reasonOf(END_OBSTACLES),
  },
  LETTER_REFUSED: {
    status: 409,
    message: 'This member can’t be emailed right now.',
    data: reasonOf(PERSONAL_EMAIL_OBSTACLES),
  },
  MAILING_REFUSED: {
    status: 409,
    message: 'This list can’t be emailed right now.',
    data: reasonOf(MAILING_OBSTACLES),
  },
  PREVIEW_EXPIRED: { status: 409, message: 'This offer has changed. Please review it again.' },
  SETUP_CHANGED: { status: 409, message: 'Something changed at Stripe. Please review the new list.' },
  SETTINGS_CHANGED: { status: 409, message: 'Someone else just changed the settings. Please review them.' },
  SETTING_REFUSED: { status: 422, message: 'This can’t be saved as it is. Please check it.', data: WHY },
  PICTURE_REFUSED: { status: 422, message: 'We can’t use this picture.', data: WHY },
  PAYMENT_REFUSED: {
    status: 402,
    message: 'Your card wasn’t charged, and nothing has changed. Please update your card and try again.',
  },
  DUES_REFUSED: {
    status: 409,
    message: 'This payment can’t be recorded or voided this way. Please check it.',
    data: reasonOf(DUES_OBSTACLES),
  },
  DUES_CHANGED: {
    status: 409,
    message:
      'Someone else has just recorded a payment for this member. Please check whether this is another one.',
    data: z.object({
      paid_until: z.string().nullable(),
      by: z.string().nullable(),
      at: z.string().nullable(),
      /** Null without a payment that is not voided. */
      amount_cents: z.number().nullable(),
      months: z.number().nullable(),
    }),
  },
  BANK_PAYMENT_PENDING: {
    status: 409,
    message: 'A bank payment of this member is on its way. Please check whether this is another one.',
    data: bankPayment,
  },
  REFUND_REFUSED: {
    status: 409,
    message: 'This payment can’t be refunded this way. Please check it.',
    data: reasonOf(REFUND_OBSTACLES),
  },
  HOUSEHOLD_REFUSED: {
    status: 409,
    message: 'This membership can’t be shared right now.',
    data: reasonOf(HOUSEHOLD_OBSTACLES),
  },
  GUEST_GLASS_REFUSED: {
    status: 409,
    message: 'This guest pour can’t be used.',
    data: reasonOf(GUEST_GLASS_OBSTACLES),
  },
  GUEST_GLASS_LIMIT: {
    status: 409,
    message: 'You’ve given all of this month’s guest pours.',
    data: z.object({ limit: z.number().int() }),
  },
  BENEFIT_REFUSED: {
    status: 409,
    message: 'This benefit can’t be taken right now: none is left, or the tier no longer gives it.',
    data: reasonOf(BENEFIT_OBSTACLES),
  },
  GIFT_CODE_UNKNOWN: { status: 404, message: 'This code doesn’t match a gift. Please check it.' },
  GIFT_REFUSED: {
    status: 409,
    message: 'That isn’t possible for this gift.',
    data: reasonOf(GIFT_OBSTACLES),
  },
  GIFT_DAY_REFUSED: { status: 422, message: 'Please enter an email and choose a day within the next year.' },
  CUSTOMER_NOT_ACTIVE: { status: 409, message: 'This membership isn’t active.' },
  POURS_EXCEEDED: {
    status: 409,
    message: 'Not enough pours are left in the current billing period.',
    data: z.object({ available_pours: z.number().int() }),
  },
  POUR_TIME_REFUSED: {
    status: 422,
    message: 'The time of this pour is in the future, or too long ago. Please check the clock.',
  },
  PLACE_UNKNOWN: { status: 422, message: 'Please select a location' },
  REQUEST_ID_REUSED: {
    status: 409,
    message: 'This request was already used for something else. Please close this and try again.',
  },
  NOTE_REMOVED: { status: 409, message: 'This note has been removed.' },
  MEMBER_CHANGED: {
    status: 409,
    message: 'Someone else just changed this member. Please review the changes.',
  },
  STAFF_ACCOUNT: {
    status: 409,
    message: 'This account belongs to someone on your team. They can change it themselves, under Account.',
  },
  TOO_MANY_TAGS: {
    status: 409,
    message: 'A member can have at most 20 tags, and the venue 200. Please remove one you no longer need.',
  },
  WINE_LISTED: {
    status: 409,
    message:
      'This wine is already on the list, with the same name, producer and vintage. Please change that one.',
  },
  TOO_MANY_WINES: {
    status: 409,
    message: 'The list is full, with 500 wines. Please change one that’s gone instead of adding another.',
  },
  VOID_NEEDS_REASON: { status: 409, message: 'Please enter a reason for voiding this pour.' },
  IMPORT_OPEN: { status: 409, message: 'Another import is open. Please finish or discard it first.' },
  IMPORT_CHANGED: { status: 409, message: 'This import has changed in the meantime. Please review it.' },
  IMPORT_TOO_LARGE: { status: 422, message: 'A file can have at most 50,000 rows. Please split it.' },
  IMPORT_NEEDS_HEADER: {
    status: 422,
    message: 'The first row of the file must hold the column names, not a member.',
  },
  IMPORT_MAPPING: { status: 422, message: 'These columns can’t be used this way.', data: WHY },
  LAST_STAFF_MANAGER: {
    status: 409,
    message: 'Nobody else can manage staff. Please give someone else that permission first.',
  },
  ALREADY_STAFF: { status: 409, message: 'This email already belongs to someone on your team.' },
  PERSON_KNOWN: {
    status: 409,
    message: 'This email already has an account. Go back and continue with that account.',
  },
  INVITATION_NEEDS_EMAIL: {
    status: 409,
    message:
      'This club can’t send email yet. The person who runs its server can add staff there: cellar-door staff add EMAIL',
  },
  PASSWORD_NEEDED: { status: 409, message: 'Please enter your name and choose a password.' },
  OWN_ACCOUNT: {
    status: 409,
    message: 'You can’t do this to your own account. Please ask someone else who manages staff.',
  },
  TOO_MANY_API_CLIENTS: {
    status: 409,
    message: 'You have ten API clients. Please remove one you no longer use.',
  },
  NO_SUBSCRIPTION: { status: 404, message: 'This account has no card subscription.' },
  PAYMENTS_UNAVAILABLE: {
    status: 502,
    message:
      'Our payment service is slow right now. Please try again in a few minutes. Nothing will be charged twice.',
  },
  PASSWORD_REQUIRED: { status: 400, message: 'Please enter your password.' },
  WRONG_PASSWORD: { status: 403, message: 'Wrong password. Please try again.' },
  NO_PASSWORD: {
    status: 409,
    message: 'This account has no password yet. Set one first with Forgot password? on the sign-in page.',
  },
  PASSWORD_CHOSEN: {
    status: 409,
    message: 'This account has a password already. You can change it in your account, under Security.',
  },
  WRONG_PIN: {
    status: 403,
    message: 'Wrong PIN. Please try again.',
    data: z.object({ tries_left: z.number().int() }),
  },
  PIN_LOCKED: {
    status: 403,
    message:
      'This PIN was entered incorrectly too many times and is locked. Set a new one in your account, or ask someone who manages staff.',
  },
  PIN_EASY: {
    status: 422,
    message: 'This PIN is easy to guess. Please choose one that isn’t a pattern or a year.',
  },
  TOO_MANY_DEVICES: {
    status: 409,
    message: 'You have fifty tablets. Please sign out one you no longer use.',
  },
  PASSWORD_COMMON: {
    status: 422,
    message: 'Many people use this password, so it’s easy to guess. Please choose another one.',
  },
  PASSWORD_PERSONAL: {
    status: 422,
    message:
      'This password is too close to your name, your email, or words about wine and this club. Please choose another one.',
  },
  TOO_MANY_PASSKEYS: { status: 409, message: 'You have ten passkeys. Please remove one first.' },
  PASSKEY_IN_USE: { status: 409, message: 'This passkey is already in use.' },
  NOT_VERIFIED_BY_DEVICE: {
    status: 403,
    message:
      'Your device couldn’t verify that it’s you. Please unlock it with your PIN, face or fingerprint.',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    message: 'Too many attempts. Please wait a moment and try again.',
    data: z.object({ retry_after_seconds: z.number().int() }),
  },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email or password' },
  CONSENT_OUTDATED: {
    status: 409,
    message: 'The terms beside this button have changed. Please read them again, then continue.',
    // The current text; null if no consent is needed any more.
    data: z.object({ current: consentWords.nullable() }),
  },
  EMAIL_TAKEN: {
    status: 422,
    message: 'An account with this email already exists. Please sign in, or use another email.',
  },
  NOTHING_TO_SEND: { status: 409, message: 'There’s no such email to send to this member right now.' },
  EMAIL_IN_USE: { status: 409, message: 'Another account uses this email. Please enter a different one.' },
  EMAIL_UNCHANGED: { status: 409, message: 'This is already the email of your account.' },
  EMAIL_SENDING_OFF: {
    status: 409,
    message: 'This club can’t send email yet, so you can’t change your email here. Please write to us.',
  },
  EMAIL_NOT_VERIFIED: {
    status: 403,
    message: 'Please confirm your email first: follow the link in our latest email to you.',
  },
  EMAIL_ALREADY_VERIFIED: { status: 400, message: 'Your email is already confirmed.' },
  EMAIL_MISMATCH: { status: 400, message: 'You are signed in with a different email.' },
  EMAIL_VERIFICATION_OFF: { status: 400, message: 'Emails don’t need to be confirmed here.' },
  LINK_EXPIRED: { status: 401, message: 'This link has expired.' },
  LINK_INVALID: { status: 400, message: 'This link was already used, has expired, or is incomplete.' },
  CODE_INVALID: { status: 401, message: 'Wrong code. Please try again.' },
  CODE_USED: { status: 401, message: 'This code was already used. Please wait for the next one.' },
  TOO_MANY_CODES: { status: 400, message: 'Too many wrong codes. Please sign in again.' },
  TWO_FACTOR_NOT_ENABLED: { status: 400, message: 'Two-step sign-in is off.' },
  TWO_FACTOR_ALREADY_ENABLED: { status: 400, message: 'Two-step sign-in is already on.' },
  CHALLENGE_NOT_FOUND: { status: 400, message: 'That took too long. Please try again.' },
  PASSKEY_NOT_FOUND: { status: 401, message: 'This passkey was removed. Please sign in with your password.' },
  PASSKEY_REFUSED: {
    status: 400,
    message: 'We couldn’t verify your passkey. Please try again, or sign in with your password.',
  },
  PASSKEY_NOT_ADDED: { status: 400, message: 'We couldn’t add the passkey. Please try again.' },
  PROVIDER_NOT_FOUND: { status: 404, message: 'You can’t sign in with this provider here.' },
  PROVIDER_UNREACHABLE: {
    status: 503,
    message: 'This provider isn’t responding. Please sign in with your password, or try again later.',
    data: z.object({ provider: z.string() }),
  },
  ALREADY_LINKED: { status: 409, message: 'This account is already linked.' },
  CAPTCHA_REQUIRED: { status: 400, message: 'Please complete the check first.' },
  CAPTCHA_FAILED: { status: 403, message: 'The check failed. Please try again.' },
  AUTH_REFUSED: { status: 400, message: 'That didn’t work. Please try again.' },
  FOREIGN_ORIGIN: { status: 403, message: 'This request came from another site.' },
  WEBHOOK_URL_REFUSED: {
    status: 409,
    message: 'This URL can’t be used: its name doesn’t resolve, or leads to a private network.',
    data: reasonOf(WEBHOOK_URL_PROBLEMS),
  },
  WEBHOOK_OFF: { status: 409, message: 'This endpoint is off. Please turn it on first.' },
  TOO_MANY_WEBHOOKS: { status: 409, message: 'You already have ten endpoints. Please remove one first.' },
  BODY_TOO_LARGE: { status: 413, message: 'This request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send application/json.' },
  BAD_SIGNATURE: { status: 400, message: 'The signature is missing, wrong, or too old.' },
  NOT_PROCESSED: { status: 503, message: 'Send this event again later.' },
  INVALID_CLIENT: { status: 401, message: 'Unknown client or wrong secret.' },
  INVALID_SCOPE: { status: 400, message: 'This API client doesn’t have all of these scopes.' },
  SCOPE_NEEDED: {
    status: 403,
    message: 'This API client doesn’t have the scope for that.',
    data: z.object({ scope: z.enum(API_SCOPES) }),
  },
  UNSUPPORTED_GRANT_TYPE: {
    status: 400,
    message:
      'Send the grant_type client_credentials. For password and refresh_token, send JSON, with grant_type in the query.',
  },
  SESSION_ENDED: { status: 400, message: 'This session has ended. Please sign in again.' },
  BROWSER_NEEDED: { status: 409, message: 'This only works in a browser. Please use our website.' },
} satisfies Record<string, { status: number; message: string; data?: z.ZodType }>;

export type RefusalCode = keyof typeof REFUSALS;

export type RefusalData = {
  [C in RefusalCode]: (typeof REFUSALS)[C] extends { data: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : undefined;
};

/** A refusal by a rule. Verbs throw it; server/api/errors.ts maps it to the contract's error of the same code. */
export class Refusal<C extends RefusalCode = RefusalCode> extends Error {
  readonly code: C;
  readonly data: RefusalData[C];

  constructor(code: C, ...data: RefusalData[C] extends undefined ? [] : [RefusalData[C]]) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.data = data[0] as RefusalData[C];
  }
}

export function refusals<C extends RefusalCode>(...codes: C[]): Pick<typeof REFUSALS, C> {
  return Object.fromEntries(codes.map((code) => [code, REFUSALS[code]])) as Pick<typeof REFUSALS, C>;
}
