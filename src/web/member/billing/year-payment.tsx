import type { YearPayment } from '../../../contract/functions.ts';
import { YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { Notice } from '../../ui/notice.tsx';

/** A year whose bank has not answered yet, or declined. Renders nothing without one. */
export function YearPaymentNotice({ payment }: { payment: YearPayment | null | undefined }) {
  const tierLabel = useTierLabel();
  if (!payment) return null;
  const { state, tier, months, amount } = payment;
  const what =
    months === YEAR_MONTHS ? `a year of ${tierLabel(tier)}` : `${tierLabel(tier)} for the rest of your year`;
  const price = amountWithTax(amount, site.currency, site.tax_behavior);
  return state === 'pending' ? (
    <Notice tone="info" title="Your payment is with your bank">
      {price} for {what}. Your bank takes a few days. Until it answers, nothing changes.
    </Notice>
  ) : (
    <Notice tone="warning" title="Your bank declined your payment">
      {price} for {what}. Nothing was charged. You can order again, with another payment method.
    </Notice>
  );
}
