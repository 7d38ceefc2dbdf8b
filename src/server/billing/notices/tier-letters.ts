import { amountPerMonth } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import type { BillingNotice } from '../billing-context.ts';
import { type LetterWriters, letter } from './letter-words.ts';

/** Another tier or another price, by the member or by the venue. */
export const tierLetters: LetterWriters<
  | 'tier_changed'
  | 'tier_change_scheduled'
  | 'tier_change_withdrawn'
  | 'price_move_announced'
  | 'price_move_withdrawn'
> = {
  tier_changed: (notice, { label, day, dashboard }) =>
    letter(
      'Your new tier',
      `Your tier changed from ${label(notice.from)} to ${label(notice.to)}.`,
      poursAfterChange(notice, day(notice.next_billing)),
      dashboard,
    ),

  tier_change_scheduled: (notice, { label, day, account }) =>
    letter(
      'Your tier change is scheduled',
      `On ${day(notice.effective_at)}, your tier changes to ${label(notice.to)}, ${amountPerMonth(notice.amount_cents, notice.currency, notice.tax_behavior)}. Nothing changes until then.`,
      'Changed your mind? You can keep your current tier until then.',
      account(),
    ),

  tier_change_withdrawn: ({ tier }, { label, dashboard }) =>
    letter(
      'Your tier stays the same',
      `You're staying on ${label(tier)}. The scheduled change won't happen.`,
      dashboard,
    ),

  price_move_announced(notice, { label, day, account }) {
    const date = day(notice.effective_at);
    return letter(
      `Your ${notice.from === notice.to ? 'price' : 'membership'} changes on ${date}`,
      ...priceMove(notice, label, date),
      ...(notice.discounted ? ['These are the prices before your discount, which stays.'] : []),
      "You don't have to do anything. If you would rather not continue, you can cancel before then.",
      account(),
    );
  },

  price_move_withdrawn: ({ tier }, { label, account }) =>
    letter(
      'Your price stays the same',
      `The change we wrote to you about won't happen. You stay on ${label(tier)} at the price you pay now.`,
      account(),
    ),
};

type TierChanged = Extract<BillingNotice, { type: 'tier_changed' }>;

/** '4 more pours until December 21, 20 a month from then.' */
function poursAfterChange({ added_pours, monthly_pours }: TierChanged, until: string): string {
  if (added_pours === null) return `You now have ${pourCount(monthly_pours)} a month.`;
  if (added_pours < 0) return `You have ${pourCount(monthly_pours)} a month from ${until}.`;
  const more =
    added_pours === 0 ? 'No more pours' : `${added_pours} more ${added_pours === 1 ? 'pour' : 'pours'}`;
  return `${more} until ${until}, ${monthly_pours} a month from then.`;
}

type PriceMove = Extract<BillingNotice, { type: 'price_move_announced' }>;

/** Old, new and when. */
function priceMove(notice: PriceMove, label: (tier: string) => string, date: string): string[] {
  const { currency, tax_behavior } = notice;
  const price = (amount: number) => amountPerMonth(amount, currency, tax_behavior);
  const [before, after] = [price(notice.from_amount_cents), price(notice.to_amount_cents)];
  if (notice.from === notice.to) {
    return [
      `From ${date}, your ${label(notice.to)} membership costs ${after}. Until then you pay ${before}, as before.`,
      `You have ${pourCount(notice.monthly_pours)} a month.`,
    ];
  }
  return [
    `On ${date}, your membership changes from ${label(notice.from)} to ${label(notice.to)}, with ${pourCount(notice.monthly_pours)} a month.`,
    `From then on it costs ${after}. Until then nothing changes, and you pay ${before}.`,
  ];
}
