import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useLocation, useRouteContext } from '@tanstack/react-router';
import { lazy, memo, type ReactNode, Suspense, useDeferredValue, useEffect, useId } from 'react';
import { addDays, type LocalDate } from '../../../domain/calendar.ts';
import type { ConsentWords } from '../../../domain/consent.ts';
import { dashboardView, greeting } from '../../../domain/dashboard.ts';
import { EmailReminder } from '../../account/email/email-reminder.tsx';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { openedLinks } from '../../api/opened-link.ts';
import type { SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { venueToday } from '../../format/venue-today.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useLogged } from '../../ui/use-logged.ts';
import { useSend } from '../../ui/use-send.ts';
import { DuesNotice } from '../billing/dues-notice.tsx';
import { type OwnRecord, useOwn } from '../use-own.ts';
import { QuestionCard } from '../wines/question-card.tsx';
import { FinishJoining } from './finish-joining.tsx';
import { RenewCard, WaitingCards, WelcomeCard } from './join-cards.tsx';
import { MemberDashboard } from './member-dashboard.tsx';
import {
  CelebrationCards,
  ChangeNotice,
  DecisionNotice,
  InstallHint,
  PaymentDue,
  PersonalEmailsQuestion,
} from './notices.tsx';

// Loaded separately: few members need it, and it includes the code that draws QR codes.
const PendingDashboard = lazy(async () => ({
  default: (await import('./pending-dashboard.tsx')).PendingDashboard,
}));

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set on visits to /dashboard by the survey's back button. */
    leftSurvey?: boolean;
  }
}

export default function DashboardPage() {
  const { user } = useRouteContext({ from: '/_member' });
  const leftSurvey = useLocation({ select: (location) => location.state.leftSurvey === true });
  const { me, query } = useOwn();
  const failure = !me && query.isError && <LoadError query={query} title="We couldn’t load your dashboard" />;
  return (
    <>
      <Dashboard user={user} leftSurvey={leftSurvey} me={me} failure={failure} />
      <SubscriptionCheck shownStatus={query.data?.customer?.status} />
    </>
  );
}

interface DashboardProps {
  user: SessionUser;
  /** The member left the survey deliberately, so they are not sent back to it. */
  leftSurvey: boolean;
  me: OwnRecord | undefined;
  failure: ReactNode;
}

/** In their first week members are asked no favors. */
const isPastFirstWeek = (memberSince: LocalDate) => addDays(memberSince, 7) <= venueToday();

/** Renders again only when the record has changed, not at each load. */
const Dashboard = memo(function Dashboard({ user, leftSurvey, me, failure }: DashboardProps) {
  const view = me && dashboardView(me, site.payments);
  const waiting = openedLinks();
  if (view === 'apply' && !leftSurvey && !me?.consent_due && waiting.length === 0)
    return <Navigate to="/apply" replace />;

  const content = () => {
    if (!me) return failure || <DashboardSkeleton />;
    if (me.consent_due) return <AgreeCard words={me.consent_due} />;
    if (view === 'member' && me.customer) {
      const { profile, customer, pours, household, has_free_seat, dues, ends } = me;
      return (
        <MemberDashboard {...{ profile, customer, pours, household, has_free_seat, dues, ends }}>
          <PaymentDue pours={pours} />
          <DuesNotice dues={dues} pours={pours} />
          <ChangeNotice ends={ends} dues={dues} />
          <CelebrationCards userId={profile.id} celebrations={me.celebrations} />
          {me.decision && <DecisionNotice decision={me.decision} />}
          <FinishJoining user={user} isMember>
            <EmailReminder user={user} />
          </FinishJoining>
          <Later>
            <QuestionCard />
          </Later>
          {isPastFirstWeek(customer.member_since) && (
            <>
              <Later>
                <PersonalEmailsQuestion />
              </Later>
              <InstallHint />
            </>
          )}
        </MemberDashboard>
      );
    }
    if (waiting.length > 0) return <WaitingCards links={waiting} />;
    if ((view === 'complete_payment' || view === 'pay_at_venue') && me.application?.selected_tier) {
      return (
        <Suspense fallback={<DashboardSkeleton />}>
          <PendingDashboard profile={me.profile} tier={me.application.selected_tier} />
        </Suspense>
      );
    }
    if (view === 'renew') return <RenewCard me={me} />;
    return <WelcomeCard surveyStarted={view === 'apply'} />;
  };

  return (
    <PageShell
      title="Dashboard"
      width={view === 'welcome' || view === 'apply' || view === 'renew' ? 'reading' : 'wide'}
      eyebrow={site.club_name}
      heading={greeting(me?.profile.first_name ?? user.first_name, new Date().getHours())}
      // The renewal card has its own Sign Out button.
      {...(view === 'renew' && !me?.consent_due
        ? undefined
        : { back: null, actions: <SignOutButton size="sm" /> })}
    >
      {me?.decision && view !== 'member' && <DecisionNotice decision={me.decision} />}
      {content()}
      {me && view !== 'member' && (
        <>
          {me.customer && <PaymentDue pours={me.pours} />}
          <FinishJoining user={user} isMember={false}>
            <EmailReminder user={user} />
          </FinishJoining>
        </>
      )}
    </PageShell>
  );
});

/** Compares with Stripe once per visit, and reloads what is out of date (`docs/rules/pages.md`, "Member pages"). */
function SubscriptionCheck({ shownStatus }: { shownStatus: string | undefined }): null {
  const client = useQueryClient();
  const { data, dataUpdatedAt, error } = useQuery({
    ...orpc.functions.verifySubscriptionStatus.queryOptions({ input: {} }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is handled once, whatever is shown by then
  useEffect(() => {
    if (!data) return;
    // If a webhook was faster, the server reports no update although the screen is out of date.
    const outdated = data.localStatus !== (shownStatus ?? 'none');
    if (!outdated && !(data.status === 'updated' && data.localStatus !== 'active')) return;
    void client.invalidateQueries({ queryKey: orpc.members.getOwn.key() });
  }, [client, data, dataUpdatedAt]);

  useLogged('Verifying the subscription', error);
  return null;
}

/** Has the size of the full dashboard, which most users are waiting for. */
function DashboardSkeleton() {
  return (
    <div role="status" className="grid items-start gap-5 sm:gap-6 md:grid-cols-2">
      <span className="sr-only">Loading</span>
      <Skeleton className="aspect-[1.586] w-full rounded-xl" />
      <Card title="Pours Remaining">
        <div className="flex flex-col gap-4">
          <Skeleton className="h-15 w-28" />
          <Skeleton className="h-10 w-3/5" />
          <Skeleton className="h-2 w-full" />
          <Skeleton className="h-5 w-2/5" />
        </div>
      </Card>
    </div>
  );
}

/** Renders after the surrounding page, and only then sends its requests, so that a slow phone shows the page first. */
function Later({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}

/** Asks a member with an imported account, at the first sign-in, for the consent that others give when registering. */
function AgreeCard({ words }: { words: ConsentWords }) {
  const client = useQueryClient();
  const id = useId();
  const { busy, send } = useSend();
  const agree = () =>
    send(
      () => api.profile.agree({ consent_version: words.version }),
      (error) => {
        const text = refusalOf(error, 'CONSENT_OUTDATED') ? serverMessage(error) : null;
        toast.error(text ?? 'We couldn’t save that. Please try again.', { of: error });
      },
      // Also after a refusal because the words changed: the card then shows the new ones.
      () => client.invalidateQueries({ queryKey: orpc.members.getOwn.key() }),
    );
  return (
    <Card title="Your Membership Moved Here">
      <div className="flex flex-col items-start gap-4">
        <p>The club created your account with the details it had. Nothing was charged.</p>
        <ConsentText words={words} id={id} />
        <Button aria-describedby={id} busy={busy} busyLabel="Saving..." onClick={agree}>
          Continue
        </Button>
      </div>
    </Card>
  );
}
