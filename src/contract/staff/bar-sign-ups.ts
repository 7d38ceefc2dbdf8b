import { z } from 'zod';
import { KNOWN_PEOPLE, SIGN_UP_STATES } from '../../domain/staff/bar-sign-up.ts';
import { day, GET, id, linkToken, POST, timestamp } from '../base.ts';
import { consentVersion } from '../consent.ts';
import { email } from '../forms/credentials.ts';
import { personName } from '../forms/person.ts';
import { reason } from '../forms/pour-fields.ts';
import { referenceNumber } from '../forms/staff-fields.ts';
import { checkoutRefusals, orderPeriod } from '../functions.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { tier } from '../tiers.ts';
import { firstPayment } from './dues.ts';

const newPersonInput = z.strictObject({ first_name: personName, last_name: personName, email });

const knownPerson = z.object({
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  known_as: z.enum(KNOWN_PEOPLE),
  /** The customer id of a member or former member. */
  customer_id: id.nullable(),
  /** Signing up removes all ways to sign in to an account with an unconfirmed email. */
  loses_password: z.boolean(),
});
export type KnownPersonDetail = z.infer<typeof knownPerson>;

/** A link for a phone; its token is shown once. */
const link = z.object({ url: z.string(), expires_at: timestamp });

const signUp = z.object({
  application_id: id,
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  tier: z.string(),
  state: z.enum(SIGN_UP_STATES),
  expires_at: timestamp,
  /** Null until the person is a member. */
  customer_id: id.nullable(),
});
export type BarSignUp = z.infer<typeof signUp>;

/** A secret of the browser that continues to payment. */
const browser = text(43).regex(/^[\w-]{43}$/);

export const barSignUps = {
  find: POST('/bar-sign-up-search', {
    summary: 'Look up whether someone has an account already',
    description: 'By email or user id. A POST, because emails in URLs end up in logs.',
  })
    .input(z.union([z.strictObject({ email }), z.strictObject({ user_id: id })]))
    .output(z.object({ person: knownPerson.nullable() })),
  create: POST('/bar-sign-ups', {
    summary: 'Start a membership at the bar',
    description:
      'For someone new, who gets an account and an email to choose a password, or for an account without a membership. With a reference number it is paid at the venue, and starts at once. Without, it starts when they pay by the link. A repeated call replaces the link.',
    successStatus: 201,
  })
    .input(
      z.strictObject({
        person: z.union([newPersonInput, z.strictObject({ user_id: id })]),
        tier: text(50).min(1),
        toast_reference_number: z.optional(referenceNumber),
        ...firstPayment,
        /** The club gives the membership until this day, the first without it, instead of a payment. */
        house: z.strictObject({ ends_on: day, reason }).optional(),
      }),
    )
    .errors(
      refusals(
        'NOT_FOUND',
        'PERSON_KNOWN',
        'ALREADY_STAFF',
        'ALREADY_MEMBER',
        'TIER_NOT_AVAILABLE',
        'PAYMENTS_OFF',
        'DUES_REFUSED',
        'SETTING_REFUSED',
      ),
    )
    .output(
      z.object({
        user_id: id,
        application_id: id,
        /** Null until paid. */
        customer_id: id.nullable(),
        link: link.nullable(),
      }),
    ),
  get: GET('/bar-sign-ups/{application_id}', {
    summary: "Get the state of a sign-up that is paid on the member's phone",
  })
    .input(z.strictObject({ application_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(signUp),
  renewLink: POST('/bar-sign-ups/{application_id}/link', {
    summary: 'Make another link to pay; the one before ends',
  })
    .input(z.strictObject({ application_id: id }))
    .errors(refusals('NOT_FOUND', 'APPLICATION_NOT_PENDING', 'PAYMENTS_OFF'))
    .output(link),
  readLink: POST('/payment-links/read', {
    summary: 'What a link to pay is for',
    description: 'A POST, because tokens in URLs end up in logs. The link opens nothing else.',
  })
    .input(z.strictObject({ token: linkToken, browser: browser.optional() }))
    .errors(refusals('LINK_INVALID', 'LINK_EXPIRED'))
    .output(
      z.object({
        /** paid: the membership is active. */
        state: z.enum(['offer', 'paid']),
        first_name: z.string(),
        email: z.string(),
        tier,
      }),
    ),
  pay: POST('/payment-links/pay', {
    summary: 'The page where the membership of a link is paid',
    description:
      'The first browser that asks is the only one, so that a code that was photographed opens nothing. It may ask again.',
  })
    .input(
      z.strictObject({
        token: linkToken,
        browser,
        period: orderPeriod,
        consentVersion: consentVersion.unwrap(),
      }),
    )
    .errors({ ...refusals('LINK_INVALID', 'LINK_EXPIRED'), ...checkoutRefusals })
    .output(z.object({ url: z.string() })),
};
