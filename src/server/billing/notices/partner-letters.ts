import type { BillingNotice } from '../billing-context.ts';
import { type LetterWriters, letter, type Words, writeLetter } from './letter-words.ts';

/** What happened to a holder's membership and changes what the partner has. */
export type PartnersNews = Extract<
  BillingNotice,
  {
    type:
      | 'membership_started'
      | 'gift_started'
      | 'access_restored'
      | 'pause_scheduled'
      | 'pause_withdrawn'
      | 'pause_ended'
      | 'cancellation_scheduled'
      | 'cancellation_withdrawn'
      | 'membership_suspended'
      | 'membership_ended'
      | 'gift_ended';
  }
>;

const back = (_: unknown, { household }: Words) =>
  letter(
    'The membership you share is active again',
    'Your card works again, and so do the glasses you share.',
    household,
  );
// The same for every reason: whether it was canceled or not paid is the holder's to tell.
const over = (_: unknown, { household }: Words) =>
  letter(
    'The membership you share is not active',
    "Your card and the glasses you share don't work for now. If the membership becomes active again, so do they.",
    'Your history stays yours, and you can join with a membership of your own at any time.',
    household,
  );

/**
 * What the partner of a household reads about the holder's membership: when the glasses that they share stop, and when they
 * are back. Nothing of money.
 */
const partnerLetters: LetterWriters<PartnersNews['type']> = {
  membership_started: back,
  gift_started: back,
  access_restored: back,
  pause_ended: back,
  membership_suspended: over,
  membership_ended: over,
  gift_ended: over,

  pause_scheduled: ({ from, until, begun }, { day, household }) =>
    letter(
      'The membership you share pauses',
      begun
        ? `Since ${day(from)} there are no glasses for either of you.`
        : `From ${day(from)} there are no glasses for either of you. Until then nothing changes.`,
      ...(until ? [`On ${day(until)} the membership starts again, with all of its glasses.`] : []),
      household,
    ),

  pause_withdrawn: (_, { household }) =>
    letter(
      'The membership you share is not paused',
      "The pause won't happen. You both keep your glasses.",
      household,
    ),

  cancellation_scheduled: ({ ends_at, paused }, { day, household }) =>
    letter(
      'The membership you share will end',
      `It ends on ${day(ends_at)}. ${paused ? 'It stays paused until then.' : 'You both keep your glasses until then.'}`,
      household,
    ),

  cancellation_withdrawn: (_, { household }) =>
    letter('The membership you share continues', 'It does not end after all.', household),
};

/** Whether something that happened to a holder's membership changes what the partner has. */
export const isPartnersNews = (notice: BillingNotice): notice is PartnersNews =>
  notice.type in partnerLetters;

/** What the partner reads about it. */
export const partnerLetter = (notice: PartnersNews, words: Words) =>
  writeLetter(partnerLetters, notice, words);
