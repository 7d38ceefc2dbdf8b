import { amountPerMonth } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { emails, type Words } from '../../mail/email-text.ts';
import { type NoticeData, SAMPLE_NEXT_BILLING, UNEXPECTED } from './billing-words.ts';

type TierChanged = NoticeData<'tier_changed'>;
type PriceMove = NoticeData<'price_move_announced'>;

/** '4 more pours until December 21, 20 a month from then.' */
function poursAfterChange({ added_pours, monthly_pours }: TierChanged, until: string): string {
  if (added_pours === null) return `You now have ${pourCount(monthly_pours)} a month.`;
  if (added_pours < 0) return `You'll have ${pourCount(monthly_pours)} a month from ${until}.`;
  const more =
    added_pours === 0 ? 'No more pours' : `${added_pours} more ${added_pours === 1 ? 'pour' : 'pours'}`;
  return `${more} until ${until}, ${monthly_pours} a month from then.`;
}

const moveDate = (notice: PriceMove, { day }: Words) => day(notice.effective_at);
const moveValues = (notice: PriceMove, words: Words) => ({
  tier: words.label(notice.to),
  date: moveDate(notice, words),
});
const costs = (notice: PriceMove) => {
  const price = (cents: number) => amountPerMonth(cents, notice.currency, notice.tax_behavior);
  return { before: price(notice.from_amount_cents), after: price(notice.to_amount_cents) };
};
const moveChoice = (notice: PriceMove, { account }: Words) => [
  ...(notice.discounted ? ['These prices are before your discount, which continues.'] : []),
  "You don't have to do anything. If you'd rather not continue, you can cancel before then.",
  account(),
];
const MOVE = {
  from: 'select',
  from_amount_cents: 3900,
  to_amount_cents: 4500,
  currency: 'usd',
  tax_behavior: 'unspecified',
  discounted: false,
  effective_at: SAMPLE_NEXT_BILLING,
} as const;

/** Emails about a change of tier or price, by the member or the venue. */
export const tierEmails = emails<{
  tier_changed: TierChanged;
  tier_change_scheduled: NoticeData<'tier_change_scheduled'>;
  tier_change_withdrawn: NoticeData<'tier_change_withdrawn'>;
  price_announced: PriceMove;
  tier_move_announced: PriceMove;
  price_move_withdrawn: NoticeData<'price_move_withdrawn'>;
}>('membership', {
  tier_changed: {
    subject: 'Your new tier',
    content: (notice, { label, day, dashboard }) => [
      `Your tier changed from ${label(notice.from)} to ${label(notice.to)}.`,
      poursAfterChange(notice, day(notice.next_billing)),
      dashboard,
    ],
    values: ({ to }, { label }) => ({ tier: label(to) }),
    sample: {
      from: 'select',
      to: 'premier',
      added_pours: 4,
      monthly_pours: 8,
      next_billing: SAMPLE_NEXT_BILLING,
    },
  },

  tier_change_scheduled: {
    subject: 'Your tier change is scheduled',
    content: (notice, { label, day, account }) => [
      `On ${day(notice.effective_at)}, your tier will change to ${label(notice.to)}, ${amountPerMonth(notice.amount_cents, notice.currency, notice.tax_behavior)}. Until then, nothing changes.`,
      notice.by_venue ? UNEXPECTED : 'Changed your mind? You can keep your current tier until then.',
      account(),
    ],
    values: ({ to, effective_at }, { label, day }) => ({ tier: label(to), date: day(effective_at) }),
    sample: {
      to: 'select',
      amount_cents: 3900,
      currency: 'usd',
      tax_behavior: 'unspecified',
      effective_at: SAMPLE_NEXT_BILLING,
    },
  },

  tier_change_withdrawn: {
    subject: 'Your tier stays the same',
    content: ({ tier }, { label, dashboard }) => [
      `You're staying on ${label(tier)}. The scheduled change won't happen.`,
      dashboard,
    ],
    values: ({ tier }, { label }) => ({ tier: label(tier) }),
    sample: { tier: 'premier' },
  },

  price_announced: {
    subject: (notice, words) => `Your price changes on ${moveDate(notice, words)}`,
    content: (notice, words) => [
      `From ${moveDate(notice, words)}, your ${words.label(notice.to)} membership will cost ${costs(notice).after}. Until then, you pay ${costs(notice).before} as before.`,
      `You'll have ${pourCount(notice.monthly_pours)} a month.`,
      ...moveChoice(notice, words),
    ],
    values: moveValues,
    sample: { ...MOVE, to: 'select', monthly_pours: 4 },
  },

  tier_move_announced: {
    subject: (notice, words) => `Your membership changes on ${moveDate(notice, words)}`,
    content: (notice, words) => [
      `On ${moveDate(notice, words)}, your membership will change from ${words.label(notice.from)} to ${words.label(notice.to)}, with ${pourCount(notice.monthly_pours)} a month.`,
      `From then on, it will cost ${costs(notice).after}. Until then, nothing changes, and you pay ${costs(notice).before}.`,
      ...moveChoice(notice, words),
    ],
    values: moveValues,
    sample: { ...MOVE, to: 'premier', monthly_pours: 8 },
  },

  price_move_withdrawn: {
    subject: 'Your price stays the same',
    content: ({ tier }, { label, account }) => [
      `The change we emailed you about won't happen. You'll stay on ${label(tier)} at the price you pay now.`,
      account(),
    ],
    values: ({ tier }, { label }) => ({ tier: label(tier) }),
    sample: { tier: 'select' },
  },
});
