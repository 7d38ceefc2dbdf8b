import { PaymentsCard } from '../billing/payments-card.tsx';
import { AccountShell } from './account-shell.tsx';

export function PaymentsPage() {
  return (
    <AccountShell title="Payments" lead="Every charge and refund on your card, with its invoice.">
      <PaymentsCard />
    </AccountShell>
  );
}
