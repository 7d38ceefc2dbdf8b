import { Navigate } from '@tanstack/react-router';
import { lazy, memo, type ReactNode, Suspense } from 'react';
import { dashboardView, greeting } from '../../../domain/dashboard.ts';
import { EmailReminder } from '../../account/email/email-reminder.tsx';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { openedLinks } from '../../api/opened-link.ts';
import type { SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';
import { Later } from '../../ui/later.tsx';
import { LoadError } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { type OwnRecord, useOwn } from '../use-own.ts';
import { QuestionCard } from '../wines/question-card.tsx';
import { AgreeCard } from './agree-card.tsx';
import { CelebrationCards } from './celebration-cards.tsx';
import { ChangeNotice } from './change-notice.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { DecisionNotice } from './decision-notice.tsx';
import { InstallHint } from './install-hint.tsx';
import { MemberDashboard } from './member-dashboard.tsx';
import { PaymentDue } from './payment-due.tsx';
import { PersonalEmailsQuestion } from './personal-emails-question.tsx';
import { RenewCard } from './renew-card.tsx';
import { SubscriptionCheck } from './subscription-check.ts';
import { WaitingCards } from './waiting-cards.tsx';
import { WelcomeCard } from './welcome-card.tsx';

// Loaded separately: few members need it, and it includes the code that draws QR codes.
const PendingDashboard = lazy(async () => ({
  default: (await import('./pending-dashboard.tsx')).PendingDashboard,
}));

interface DashboardPageProps {
  user: SessionUser;
  /** The member left the survey deliberately, so they are not sent back to it. */
  leftSurvey: boolean;
}

export function DashboardPage(props: DashboardPageProps) {
  const { me, query } = useOwn();
  const failure = !me && query.isError && <LoadError query={query} title="We couldn’t load your dashboard" />;
  return (
    <>
      <Dashboard {...props} me={me} failure={failure} />
      <SubscriptionCheck shownStatus={query.data?.customer?.status} />
    </>
  );
}

interface DashboardProps extends DashboardPageProps {
  me: OwnRecord | undefined;
  /** Shown instead of data that could not be loaded. */
  failure: ReactNode;
}

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
      const { profile, customer, pours, household, ends } = me;
      return (
        <MemberDashboard {...{ profile, customer, pours, household, ends }}>
          <PaymentDue pours={pours} />
          <ChangeNotice />
          <CelebrationCards userId={profile.id} celebrations={me.celebrations} />
          {me.decision && <DecisionNotice decision={me.decision} />}
          <EmailReminder user={user} />
          <Later>
            <QuestionCard />
          </Later>
          <Later>
            <PersonalEmailsQuestion />
          </Later>
          <InstallHint />
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
    if (view === 'renew') return <RenewCard wasMember={me.membership_ever} household={me.household} />;
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
          <EmailReminder user={user} />
        </>
      )}
    </PageShell>
  );
});
