import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import ScanLine from 'lucide-react/icons/scan-line';
import { useEffect } from 'react';
import type { BarCard } from '../../../contract/members.ts';
import { noAccessReason, poursReturnText } from '../../format/standing-labels.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LockedDoorPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useDarkByDefault } from '../../ui/theme.ts';
import { useLogged } from '../../ui/use-logged.ts';
import { MuteButton } from '../feedback/mute-button.tsx';
import { queueStore } from '../offline-queue/queue-store.ts';
import { useDashboardName } from '../shell/back-links.tsx';
import { BarCardView, GuestCardView } from './bar-card.tsx';
import { barCardQuery } from './bar-card-query.ts';
import { BenefitsCard } from './benefits-card.tsx';
import { PourForm } from './pour-form.tsx';
import { PourResult } from './pour-result.tsx';
import { usePour } from './use-pour.ts';
import { useRecentGlasses } from './use-recent-glasses.ts';

export default function AddPourPage() {
  const { id } = useParams({ from: '/_staff/staff/customers/$id/add-pour' });
  const pour = usePour();
  const { customer, balance, requestId, unanswered, poured, scanned, busy } = pour;
  useDarkByDefault();
  // For a guest, nothing of the member is asked for.
  const memberOnScreen = pour.forGuest ? undefined : customer?.id;
  const { bar, isLoading } = useBarCard(memberOnScreen ?? '');
  const recent = useRecentGlasses(memberOnScreen ?? '');
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
            poured={poured !== undefined && !poured.undone}
            onPaper={pour.onPaper}
            recent={recent}
          />
        )}
      </Card>
      {/* On a large screen the member stays beside the form, so that both are in sight. */}
      <div className="contents lg:row-span-2 lg:flex lg:flex-col lg:gap-6">
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
            recent={recent}
            busy={busy}
            unanswered={unanswered?.draft}
            onPour={pour.record}
          />
        )}
      </div>
      {!pour.forGuest && <BenefitsCard customer={customer} bar={bar} />}
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

function NoPoursLeft({ bar }: { bar: BarCard | undefined }) {
  const lost = bar !== undefined && noAccessReason(bar) !== null;
  return (
    <>
      <Notice
        tone={lost ? 'danger' : 'warning'}
        role="status"
        title={lost ? 'No pours' : 'No pours left in this billing period'}
      >
        {bar && poursReturnText(bar)}
      </Notice>
      <ActionBar>
        <LinkButton to="/staff/search" size="xl" block icon={<ScanLine size={28} />}>
          Scan Next
        </LinkButton>
      </ActionBar>
    </>
  );
}

/** A member's data for the bar. Each response also updates the balance stored on this device. */
function useBarCard(customerId: string) {
  const query = useQuery({
    ...barCardQuery(customerId),
    enabled: customerId !== '',
  });
  const { data, dataUpdatedAt, error } = query;
  useEffect(() => {
    if (!data) return;
    queueStore.noteBalance(data.id, data.pours_balance, dataUpdatedAt);
    queueStore.noteReport(data.id, { service: data.service, benefits: data.benefits });
  }, [data, dataUpdatedAt]);
  useLogged('Loading the card at the bar', error);
  // Offline, the request is never made.
  return { bar: data, isLoading: query.isPending && query.fetchStatus !== 'paused' };
}
