import { z } from 'zod';
import { GUEST_GLASS_OBSTACLES } from '../../domain/membership/guest-glass.ts';
import { DELETE, GET, id, linkToken, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

const givenGlass = z.object({
  id,
  created_at: timestamp,
  /** When an unused glass returns to the member. */
  expires_at: timestamp,
  age_stated: z.boolean(),
  state: z.enum(['held', 'poured', 'withdrawn', 'expired']),
});
export type GivenGlass = z.infer<typeof givenGlass>;

const overview = z.object({
  /** The number of glasses a month that the tier lets a household give. */
  limit: z.number().int(),
  used: z.number().int(),
  can_give: z.boolean(),
  /** The glasses that the member gave in this billing period, newest first. */
  glasses: z.array(givenGlass),
});
export type GuestGlasses = z.infer<typeof overview>;

const forGuest = z.object({
  giver_first_name: z.string(),
  expires_at: timestamp,
  /** Minimum age in years, confirmed before the code shows; 0 for none. */
  minimum_age: z.number().int(),
  obstacle: z.enum(GUEST_GLASS_OBSTACLES).nullable(),
  /** The text of the code to show at the bar; null if the glass cannot be poured. */
  code: z.string().nullable(),
});
export type ForGuest = z.infer<typeof forGuest>;

export const guestGlasses = {
  list: GET('/guest-glasses', {
    summary: "List the signed-in member's guest pours",
    description: 'Those of this billing period, and how many more can be given.',
  }).output(overview),
  give: POST('/guest-glasses', {
    summary: 'Give a guest a pour',
    description:
      'It is held for seven days, or until the billing period ends. The link is returned only once.',
    successStatus: 201,
  })
    .errors(refusals('CUSTOMER_NOT_ACTIVE', 'POURS_EXCEEDED', 'GUEST_GLASS_LIMIT'))
    .output(z.object({ id, url: z.string(), expires_at: timestamp })),
  renewLink: POST('/guest-glasses/{id}/link', {
    summary: 'Make a new link for a glass that waits for its guest',
    description: 'The previous link stops working. The link is answered this once.',
    successStatus: 201,
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND', 'GUEST_GLASS_REFUSED'))
    .output(z.object({ url: z.string(), expires_at: timestamp })),
  withdraw: DELETE('/guest-glasses/{id}', {
    summary: 'Take a guest pour back',
    description: 'It returns to the member; one that was poured stays poured.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND', 'GUEST_GLASS_REFUSED'))
    .output(z.object({ removed: z.literal(true) })),
  read: POST('/guest-glasses/read', {
    summary: 'Read a guest pour',
    description: 'By the token of its link. A POST, because tokens in URLs end up in logs.',
  })
    .input(z.strictObject({ token: linkToken }))
    .errors(refusals('LINK_INVALID'))
    .output(forGuest),
  stateAge: POST('/guest-glasses/state-age', {
    summary: 'State that the guest is old enough',
    description: 'Called by the person with the link; staff may still ask for an ID.',
  })
    .input(z.strictObject({ token: linkToken, age: z.number().int().min(0).max(99) }))
    .errors(refusals('LINK_INVALID', 'GUEST_GLASS_REFUSED'))
    .output(forGuest),
};
