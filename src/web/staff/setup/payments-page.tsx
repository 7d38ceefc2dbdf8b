import { site } from '../../api/site.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { PaymentsCard } from './payments-card.tsx';

export default function PaymentsPage() {
  return (
    <PageShell
      title="Stripe"
      lead={
        site.payments === 'off'
          ? 'Card payments are off: members pay at the venue.'
          : 'Stripe takes your members’ card payments.'
      }
      back={useBackToMore()}
    >
      <PaymentsCard />
    </PageShell>
  );
}
