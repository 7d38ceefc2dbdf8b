import type { Content } from '../../mail/email-content.ts';
import { emails, type Words } from '../../mail/email-text.ts';
import { type NoticeData, SAMPLE_NEXT_BILLING } from './billing-words.ts';

interface Holder {
  /** The holder's first name. */
  holder: string;
}

const about = ({ holder }: Holder, { household }: Words, ...content: Content[]) => [
  `This is about ${holder}'s membership, which you share.`,
  ...content,
  household,
];
const holderValue = ({ holder }: Holder) => ({ holder });
const SAMPLE_HOLDER = { holder: 'Ben' };

/**
 * Emails to a household's partner about the holder's membership: when the shared glasses stop, and when they are back. They
 * do not mention money or reasons, which are the holder's to share.
 */
export const partnerEmails = emails<{
  shared_active_again: Holder;
  shared_not_active: Holder;
  shared_pause_scheduled: Holder & NoticeData<'pause_scheduled'>;
  shared_pause_withdrawn: Holder;
  shared_ending: Holder & Pick<NoticeData<'cancellation_scheduled'>, 'ends_at' | 'paused'>;
  shared_continues: Holder;
}>('membership', {
  shared_active_again: {
    subject: 'The membership you share is active again',
    content: (data, words) => about(data, words, 'Your card works again, and so do the pours you share.'),
    values: holderValue,
    sample: SAMPLE_HOLDER,
  },

  shared_not_active: {
    subject: 'The membership you share is not active',
    content: (data, words) =>
      about(
        data,
        words,
        "You can't use your card or the pours you share for now. If the membership becomes active again, you can.",
        'You keep your history, and you can join with a membership of your own anytime.',
      ),
    values: holderValue,
    sample: SAMPLE_HOLDER,
  },

  shared_pause_scheduled: {
    subject: ({ begun }) => `The membership you share ${begun ? 'is paused' : 'will pause'}`,
    content: ({ from, until, begun, ...data }, words) =>
      about(
        data,
        words,
        begun
          ? `It has been paused since ${words.day(from)}, so neither of you has pours for now.`
          : `It will pause on ${words.day(from)}, and neither of you will have pours from then on. Until then, nothing changes.`,
        ...(until ? [`On ${words.day(until)}, the membership will start again with all its pours.`] : []),
      ),
    values: ({ holder, from }, { day }) => ({ holder, date: day(from) }),
    sample: {
      ...SAMPLE_HOLDER,
      from: SAMPLE_NEXT_BILLING,
      until: new Date('2026-10-13T16:00:00Z'),
      begun: false,
    },
  },

  shared_pause_withdrawn: {
    subject: "The membership you share won't pause",
    content: (data, words) => about(data, words, "The pause won't happen. You both keep your pours."),
    values: holderValue,
    sample: SAMPLE_HOLDER,
  },

  shared_ending: {
    subject: 'The membership you share will end',
    content: ({ ends_at, paused, ...data }, words) =>
      about(
        data,
        words,
        `It will end on ${words.day(ends_at)}. ${paused ? 'It stays paused until then.' : 'You both keep your pours until then.'}`,
      ),
    values: ({ holder, ends_at }, { day }) => ({ holder, date: day(ends_at) }),
    sample: { ...SAMPLE_HOLDER, ends_at: SAMPLE_NEXT_BILLING, paused: false },
  },

  shared_continues: {
    subject: 'The membership you share continues',
    content: (data, words) => about(data, words, "It won't end after all."),
    values: holderValue,
    sample: SAMPLE_HOLDER,
  },
});
