import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LockedDoorPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { MuteButton } from '../feedback/mute-button.tsx';
import { BarCardView } from './bar-card.tsx';
import { PourForm } from './pour-form.tsx';
import { PourResult } from './pour-result.tsx';
import { QuickPour } from './quick-pour.tsx';
import { useBarCard } from './use-bar-card.ts';
import { usePour } from './use-pour.ts';

/** One member, one pour: who it is, one button, and below it the full form for everything else. */
export function AddPourPage({ id }: { id: string }) {
  const { customer, balance, requestId, unanswered, poured, busy, record, pourAnother, markUndone } =
    usePour();
  const { bar, isLoading } = useBarCard(customer?.id ?? '');
  if (!customer) return <NoCustomer />;
  // A pour counts as unanswered from the moment it is sent; it is lost once we stop waiting.
  const answerLost = unanswered !== undefined && busy === null;
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
          isLoading={isLoading}
          poured={poured !== undefined}
        />
        {poured && requestId ? (
          <PourResult
            key={requestId}
            memberId={id}
            pour={poured}
            requestId={requestId}
            balance={balance}
            onUndone={markUndone}
            onPourAnother={pourAnother}
          />
        ) : (
          !answerLost && (
            <QuickPour balance={balance} busy={busy !== null} onPour={(draft) => record(draft, 'quick')} />
          )
        )}
      </Card>
      {!poured && (
        <Card title={answerLost ? undefined : 'More Options'}>
          <PourForm
            // A new form, so that it shows the pour that was sent.
            key={answerLost ? 'retry' : 'new'}
            balance={balance}
            busy={busy === 'form'}
            locked={busy === 'quick'}
            unanswered={unanswered?.draft}
            onPour={(draft) => record(draft, 'form')}
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
          text="Scan the member's code, or choose them from the member list."
          action={<LinkButton to="/staff/dashboard">Back to Dashboard</LinkButton>}
        />
      </Card>
    </PageShell>
  );
}
