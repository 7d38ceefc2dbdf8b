import { z } from 'zod';
import { HOUSEHOLD_OBSTACLES } from '../../domain/membership/household.ts';
import { DELETE, GET, id, linkToken, POST, PUT, timestamp } from '../base.ts';
import { consentVersion, consentWords } from '../consent.ts';
import { email } from '../forms/credentials.ts';
import { refusals } from '../refusals.ts';

const obstacle = z.enum(HOUSEHOLD_OBSTACLES);

const invitation = z.object({
  /** Null if the holder shows the link instead. */
  email: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});
export type HouseholdInvitation = z.infer<typeof invitation>;

const sharedPour = z.object({
  id,
  /** former: a person who shared the membership before. */
  who: z.enum(['you', 'other', 'former']),
  guest: z.boolean(),
  quantity: z.number().int(),
  location: z.string(),
  created_at: timestamp,
});
export type SharedPour = z.infer<typeof sharedPour>;

const household = z.object({
  /** holder: the membership is the user's own. partner: the user shares another person's. none: neither. */
  role: z.enum(['holder', 'partner', 'none']),
  other: z.object({ first_name: z.string(), last_name: z.string(), since: timestamp }).nullable(),
  obstacle: obstacle.nullable(),
  invitation: invitation.nullable(),
  /** Newest first, 50 at most; a partner sees pours since joining. Empty without a partner. */
  pours: z.array(sharedPour),
});
export type Household = z.infer<typeof household>;

export const householdInvite = z.strictObject({ email: z.optional(email) });

export const households = {
  get: GET('/household', {
    summary: 'Get the household of the signed-in member',
    description:
      'Who shares their membership, or whose membership they share, and what each was poured this month.',
  }).output(household),
  invite: PUT('/household/invitation', {
    summary: 'Invite someone to share the membership',
    description:
      'For seven days and one person; it replaces an earlier one. With an email the link is mailed, and proves the inbox; without, the answer has it.',
  })
    .input(householdInvite)
    .errors(refusals('HOUSEHOLD_REFUSED'))
    .output(z.object({ invitation, url: z.string().nullable() })),
  withdrawInvitation: DELETE('/household/invitation', {
    summary: 'Withdraw the invitation to share',
    description: 'The link stops working.',
  }).output(z.object({ removed: z.boolean() })),
  readInvitation: POST('/household-invitations/read', {
    summary: 'Read an invitation to share a membership',
    description: 'Whose it is, and the words to agree to. A POST, because tokens in URLs end up in logs.',
  })
    .input(z.strictObject({ token: linkToken }))
    .errors(refusals('LINK_INVALID', 'LINK_EXPIRED'))
    .output(
      z.object({
        holder_first_name: z.string(),
        expires_at: timestamp,
        /** Null if the venue asks for no consent. */
        consent: consentWords.nullable(),
      }),
    ),
  acceptInvitation: POST('/household-invitations/accept', {
    summary: 'Accept an invitation to share a membership',
    description: 'The signed-in account shares the pool of glasses from now on, with a card of its own.',
  })
    .input(z.strictObject({ token: linkToken, consent_version: consentVersion }))
    .errors(refusals('LINK_INVALID', 'LINK_EXPIRED', 'HOUSEHOLD_REFUSED', 'CONSENT_OUTDATED'))
    .output(z.object({ joined: z.literal(true) })),
  end: DELETE('/household', {
    summary: 'End sharing',
    description:
      'A holder removes their partner, or a partner leaves. The partner loses the card and the shared glasses at once.',
  })
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ removed: z.literal(true) })),
};
