import type { Subscription } from '../../../contract/functions.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { perMonth } from '../../format/money.ts';
import { Notice } from '../../ui/notice.tsx';

/** The announced move to another price. The page's cancel button is below. */
export function PriceMoveNotice({ subscription }: { subscription: Subscription }) {
  const tierLabel = useTierLabel();
  const { tier, amount, price_move } = subscription;
  if (!price_move) return null;
  const from = dateOfInstant(price_move.from);
  const price = perMonth(price_move.amount, subscription);
  return (
    <Notice
      title={
        price_move.tier === tier
          ? `Your price changes on ${from}`
          : `${tierLabel(price_move.tier)} from ${from}`
      }
      className="mb-4"
    >
      You’ll pay {price} from then on, and {perMonth(amount, subscription)} until then. You can cancel before
      that.
    </Notice>
  );
}
