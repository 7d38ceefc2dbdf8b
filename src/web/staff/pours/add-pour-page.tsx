import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LockedDoorPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { MuteButton } from '../feedback/mute-button.tsx';
import { BarCardView, useBarCard } from './bar-card.tsx';
import { PourForm } from './pour-form.tsx';
import { PourResult } from './pour-result.tsx';
import { QuickPour } from './quick-pour.tsx';
import { usePour } from './use-pour.ts';

/** One member, one glass: who it is, one button, and under it the whole form for everything else. */
export function AddPourPage({ id }: { id: string }) {
  const visit = usePour();
  const { customer, balance, unanswered, poured, requestId, busy } = visit;
  const { bar, waiting } = useBarCard(customer?.id ?? '');
  if (!customer) return <NoCustomer />;
  // Remembered from the moment it is sent, but lost only once nobody waits for the answer any more.
  const lost = unanswered !== undefined && busy === null;
  return (
    <PageShell
      title="Record Pour"
      back={
        <BackLink to="/staff/customers/$id" params={{ id }}>
          Back to Customer
        </BackLink>
      }
      actions={<MuteButton />}
    >
      <Card className="flex flex-col gap-5">
        <BarCardView
          customer={customer}
          balance={balance}
          bar={bar}
          waiting={waiting}
          poured={poured !== undefined}
        />
        {poured && requestId ? (
          <PourResult
            key={requestId}
            memberId={id}
            glass={poured}
            requestId={requestId}
            balance={balance}
            onUndone={visit.undone}
            onAgain={visit.again}
          />
        ) : (
          !lost && (
            <QuickPour
              balance={balance}
              busy={busy !== null}
              onOrder={(order) => visit.record(order, 'tap')}
            />
          )
        )}
      </Card>
      {!poured && (
        <Card title={lost ? undefined : 'Record in detail'}>
          <PourForm
            key={lost ? 'held' : 'open'}
            balance={balance}
            busy={busy === 'form'}
            locked={busy === 'tap'}
            unanswered={unanswered}
            onOrder={(order) => visit.record(order, 'form')}
          />
        </Card>
      )}
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
