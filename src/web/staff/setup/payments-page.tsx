import { BackLink } from '../../ui/back-link.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { PaymentsCard } from './payments-card.tsx';

export function PaymentsPage() {
  return (
    <PageShell
      title="Stripe"
      lead="Stripe takes your members’ card payments. Check here that it is ready."
      back={<BackLink to="/staff/more">Back to More</BackLink>}
    >
      <PaymentsCard />
    </PageShell>
  );
}
