import { BackLink } from '../../ui/back-link.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { PaymentsCard } from './payments-card.tsx';

export function PaymentsPage() {
  return (
    <PageShell
      title="Payments"
      lead="What the club needs at Stripe to take payments."
      back={<BackLink to="/staff/more">Back to More</BackLink>}
    >
      <PaymentsCard />
    </PageShell>
  );
}
