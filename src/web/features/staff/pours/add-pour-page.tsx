import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { BackLink, PageShell } from '../../../ui/page-shell.tsx';
import { LockedDoorPicture } from '../../../ui/pictures.tsx';
import { TierBadge } from '../../membership/tier-badge.tsx';
import { PourForm } from './pour-form.tsx';
import { usePourVisit } from './use-pour-visit.ts';

export function AddPourPage({ id }: { id: string }) {
  const { customer, unanswered, busy, record } = usePourVisit(id);
  if (!customer) return <NoCustomer />;
  return (
    <PageShell
      title="Record Pour"
      back={
        <BackLink to="/staff/customers/$id" params={{ id }}>
          Back to Customer
        </BackLink>
      }
    >
      <Card>
        <div className="flex items-center justify-between gap-4">
          <div className="min-w-0">
            <h2 className="text-2xl">
              {customer.first_name} {customer.last_name}
            </h2>
            <TierBadge tier={customer.tier} className="mt-2" />
          </div>
          <p className="shrink-0 text-right">
            <span className="block font-title text-5xl tabular-nums">{customer.pours_balance}</span>
            <span className="text-ink-muted text-sm">Available Pours</span>
          </p>
        </div>
      </Card>
      <Card>
        <PourForm balance={customer.pours_balance} busy={busy} unanswered={unanswered} onOrder={record} />
      </Card>
    </PageShell>
  );
}

function NoCustomer() {
  return (
    <PageShell title="Record Pour">
      <Card>
        <EmptyState
          picture={<LockedDoorPicture />}
          title="Customer information not available"
          text="Scan the member's code, or open them from the list."
          action={<LinkButton to="/staff/dashboard">Back to Dashboard</LinkButton>}
        />
      </Card>
    </PageShell>
  );
}
