import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LockedDoorPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useDarkByDefault } from '../../ui/theme.ts';
import { MuteButton } from '../feedback/mute-button.tsx';
import { useDashboardName } from '../shell/back-links.tsx';
import { BarCardView, GuestCardView } from './bar-card.tsx';
import { NoPoursLeft } from './no-pours-left.tsx';
import { PourForm } from './pour-form.tsx';
import { PourResult } from './pour-result.tsx';
import { useService } from './service/use-service.ts';
import { useBarCard } from './use-bar-card.ts';
import { usePour } from './use-pour.ts';

/** One member, one pour: the member, the quantity, and one button. */
export function AddPourPage({ id }: { id: string }) {
  const pour = usePour();
  const { customer, balance, requestId, unanswered, poured, scanned, busy } = pour;
  useDarkByDefault();
  // For a guest, nothing of the member is asked for.
  const memberOnScreen = pour.forGuest ? undefined : customer?.id;
  const { bar, isLoading } = useBarCard(memberOnScreen ?? '');
  const service = useService(memberOnScreen ?? '');
  if (!customer) return <NoCustomer />;
  // A pour counts as unanswered as soon as it is sent, and as lost once we stop waiting.
  const answerLost = unanswered !== undefined && !busy;
  // A guest glass was already held, and is always one.
  const pourable = pour.forGuest ? 1 : balance;
  const nothingLeft = pourable < 1 && !unanswered && !busy;
  return (
    <PageShell
      title="Record Pour"
      pinned
      width="wide"
      back={
        <BackLink to="/staff/customers/$id" params={{ id }}>
          Back to Customer
        </BackLink>
      }
      actions={<MuteButton />}
    >
      <Card className="pinned:px-4! pinned:py-2!">
        {pour.forGuest ? (
          <GuestCardView customer={customer} />
        ) : (
          <BarCardView
            customer={customer}
            balance={balance}
            bar={bar}
            isLoading={isLoading}
            poured={poured !== undefined}
            onPaper={pour.onPaper}
            service={service}
          />
        )}
      </Card>
      {/* On a large screen the member stays beside the form, so that both are in sight. */}
      <div className="contents lg:flex lg:flex-col lg:gap-6">
        {poured && requestId ? (
          <PourResult
            key={requestId}
            memberId={id}
            pour={poured}
            requestId={requestId}
            balance={balance}
            forGuest={pour.forGuest}
            returns={scanned}
            onUndone={pour.markUndone}
            onPourAnother={pour.pourAnother}
          />
        ) : nothingLeft ? (
          <NoPoursLeft bar={bar} />
        ) : (
          <PourForm
            // A new form instance, which shows the pour that was sent.
            key={answerLost ? 'retry' : 'new'}
            customerId={memberOnScreen}
            balance={pourable}
            service={service}
            busy={busy}
            unanswered={unanswered?.draft}
            onPour={pour.record}
          />
        )}
      </div>
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
          text="Scan the member’s code, or choose them from the member list."
          action={<LinkButton to="/staff/dashboard">Back to {useDashboardName()}</LinkButton>}
        />
      </Card>
    </PageShell>
  );
}
