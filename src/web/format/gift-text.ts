import type { Gift } from '../../contract/gifts/gifts.ts';
import { dateOfInstant } from './dates.ts';

/** The status of a gift, as a sentence. */
export function giftStateText({ status, disputed, redeemed_at }: Gift): string {
  switch (status) {
    case 'redeemed':
      return `Redeemed${redeemed_at ? ` on ${dateOfInstant(redeemed_at)}` : ''}.`;
    case 'refunding':
      return 'The refund is on its way.';
    case 'refunded':
      return 'Refunded.';
    case 'kept':
      return 'It could not be refunded automatically. The club will get in touch.';
    case 'ordered':
      return 'Not paid yet.';
    default:
      return disputed ? 'Your bank disputes the payment, so the code is on hold.' : 'Not redeemed yet.';
  }
}
