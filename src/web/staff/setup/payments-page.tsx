import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { PaymentsCard } from './payments-card.tsx';

export function PaymentsPage() {
  return (
    <PageShell
      title="Stripe"
      lead="Stripe takes your members’ card payments. Check here that it is ready."
      back={useBackToMore()}
    >
      <PaymentsCard />
    </PageShell>
  );
}
