import { site } from '../../api/site.ts';
import { PaymentsCard } from '../billing/payments-card.tsx';
import { AccountShell } from './account-shell.tsx';

export function PaymentsPage() {
  return (
    <AccountShell
      title="Payments"
      lead={
        site.payments === 'off'
          ? 'You pay at the bar, so there are no card payments here.'
          : 'Every charge and refund on your card, with its invoice.'
      }
    >
      <PaymentsCard />
    </AccountShell>
  );
}
