import type { LetterFacts } from '../../../domain/club/letters.ts';
import { amountWithTax, formatAmount } from '../../../domain/money.ts';
import type { BillingNotice } from '../billing-context.ts';
import type { Words } from './letter-words.ts';
import type { PartnersNews } from './partner-letters.ts';

/** Under which key the venue may have its own words for this letter, and what they can name. */
export function letterFacts(notice: BillingNotice, { label, day }: Words): LetterFacts {
  switch (notice.type) {
    case 'membership_started':
      return {
        letter: notice.renewed ? 'welcome_back' : 'welcome',
        values: { tier: label(notice.tier), date: day(notice.next_billing) },
      };
    case 'tier_changed':
      return { letter: notice.type, values: { tier: label(notice.to) } };
    case 'tier_change_scheduled':
      return { letter: notice.type, values: { tier: label(notice.to), date: day(notice.effective_at) } };
    case 'price_move_announced':
      return {
        letter: notice.from === notice.to ? 'price_announced' : 'tier_move_announced',
        values: { tier: label(notice.to), date: day(notice.effective_at) },
      };
    case 'access_restored':
    case 'annual_notice':
    case 'price_move_withdrawn':
    case 'tier_change_withdrawn':
      return { letter: notice.type, values: { tier: label(notice.tier) } };
    case 'pause_scheduled':
      return { letter: notice.type, values: { date: day(notice.from) } };
    case 'pause_withdrawn':
      return { letter: notice.type, values: { date: day(notice.next_billing) } };
    case 'pause_ended':
      return { letter: notice.type, values: { tier: label(notice.tier), date: day(notice.next_billing) } };
    case 'return_reminder':
      return { letter: notice.type, values: { tier: label(notice.tier), date: day(notice.returns_at) } };
    case 'cancellation_scheduled':
      return {
        letter: notice.by_venue ? 'ending_by_staff' : notice.type,
        values: { date: day(notice.ends_at) },
      };
    case 'ending_reminder':
      return { letter: notice.type, values: { tier: label(notice.tier), date: day(notice.ends_at) } };
    case 'membership_ended':
      return { letter: endingLetter(notice.why) };
    case 'payment_received':
    case 'payment_returned':
    case 'payment_refunded':
      return { letter: notice.type, values: { amount: formatAmount(notice.amount_cents, notice.currency) } };
    case 'payment_failed':
      return { letter: notice.type, values: { date: day(notice.grace_until) } };
    case 'renewal_reminder':
      return {
        letter: notice.type,
        values: {
          tier: label(notice.tier),
          date: day(notice.renews_at),
          amount: amountWithTax(notice.amount_cents, notice.currency, notice.tax_behavior),
        },
      };
    case 'gift_bought':
    case 'gift_refunded':
      return {
        letter: notice.type,
        values: { tier: label(notice.tier), amount: formatAmount(notice.amount_cents, notice.currency) },
      };
    case 'gift_started':
    case 'gift_ending':
      return { letter: notice.type, values: { tier: label(notice.tier), date: day(notice.last_day) } };
    case 'gift_ended':
      return { letter: notice.type, values: { tier: label(notice.tier) } };
    case 'cancellation_withdrawn':
    case 'membership_suspended':
      return { letter: notice.type };
  }
}

/** The same for the letter to the partner of a household. */
export function partnerFacts(notice: PartnersNews, holder: string, { day }: Words): LetterFacts {
  switch (notice.type) {
    case 'membership_started':
    case 'gift_started':
    case 'access_restored':
    case 'pause_ended':
      return { letter: 'shared_active_again', values: { holder } };
    case 'membership_suspended':
    case 'membership_ended':
    case 'gift_ended':
      return { letter: 'shared_not_active', values: { holder } };
    case 'pause_scheduled':
      return { letter: 'shared_pause_scheduled', values: { holder, date: day(notice.from) } };
    case 'pause_withdrawn':
      return { letter: 'shared_pause_withdrawn', values: { holder } };
    case 'cancellation_scheduled':
      return { letter: 'shared_ending', values: { holder, date: day(notice.ends_at) } };
    case 'cancellation_withdrawn':
      return { letter: 'shared_continues', values: { holder } };
  }
}

/** What is kind to who left may be wrong for who did not pay, or was asked to leave. */
function endingLetter(why: Extract<BillingNotice, { type: 'membership_ended' }>['why']) {
  if (why === null) return 'membership_ended';
  return why === 'ended_by_staff' ? 'membership_ended_by_staff' : 'membership_ended_unpaid';
}
