import type { Gift } from '../../contract/gifts/gifts.ts';
import { GIFT_HOUR } from '../../domain/membership/gift.ts';
import { dateOfDay, dateOfInstant } from './dates.ts';

export const GIFT_SENT_AT = `Sent after ${GIFT_HOUR} AM, or right away if later.`;

/** '12/24/2026 after 9 AM'. */
export const giftDayText = (send_on: string): string => `${dateOfDay(send_on)} after ${GIFT_HOUR} AM`;

export function giftStateText({ status, disputed, redeemed_at }: Gift): string {
  switch (status) {
    case 'redeemed':
      return `Redeemed${redeemed_at ? ` on ${dateOfInstant(redeemed_at)}` : ''}.`;
    case 'refunding':
      return 'The refund is on its way.';
    case 'refunded':
      return 'Refunded.';
    case 'kept':
      return 'We couldn’t refund it automatically. The club will get in touch.';
    case 'ordered':
      return 'Not paid yet.';
    default:
      return disputed ? 'Your bank disputes the payment, so the code is on hold.' : 'Not redeemed yet.';
  }
}
