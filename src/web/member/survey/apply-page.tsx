import { useQuery } from '@tanstack/react-query';
import { Navigate, useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Application, SurveyPreferences } from '../../../contract/applications.ts';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { orpc } from '../../api/client.ts';
import { readChosenTier } from '../../api/joining.ts';
import { site } from '../../api/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { StepProgress } from '../../ui/step-progress.tsx';
import { toast } from '../../ui/toast.ts';
import { useLogged } from '../../ui/use-logged.ts';
import { RatingSliders } from './rating-sliders.tsx';
import { TierStep } from './tier-step.tsx';
import { type SurveyVisit, useSurvey } from './use-survey.ts';

export default function ApplyPage() {
  const { user } = useRouteContext({ from: '/_member' });
  // Another tab may have saved since, so the survey waits for a fresh response.
  const { data, error, isFetchedAfterMount } = useQuery({
    ...orpc.members.getOwn.queryOptions(),
    refetchOnMount: 'always',
  });
  // A former member starts from their last answers, or without them if they cannot be loaded.
  const isReturning = data?.membership_ever === true && data.application === null;
  const taste = useQuery({ ...orpc.profile.getTaste.queryOptions(), enabled: isReturning });
  useLogged('Loading the saved survey', error);

  if (data?.customer?.status === 'active') return <Navigate to="/dashboard" replace />;
  if ((isFetchedAfterMount || error) && !(isReturning && taste.isPending)) {
    return (
      <Survey
        application={data?.application ?? null}
        lastAnswers={(isReturning && taste.data?.ratings) || null}
        userId={user.id}
      />
    );
  }
  return (
    <PageShell title="Your Membership" width="wide" back={<BackToDashboard />}>
      <StepProgress steps={STEP_NAMES} current={1} />
      <Card>
        <SkeletonLines lines={8} />
      </Card>
    </PageShell>
  );
}

const STEP_NAMES = ['Your taste', 'Your membership'];

interface SurveyProps {
  /** The pending application when the page opened. */
  application: Application | null;
  lastAnswers: SurveyPreferences | null;
  userId: string;
}

function Survey({ application, lastAnswers, userId }: SurveyProps) {
  const survey = useSurvey(application, lastAnswers, userId);
  const shownStep = useRef(survey.step);
  // Whether a survey was already under way when the page opened; saves in this visit do not count.
  const [resumed] = useState(application !== null && !application.is_complete);
  // Newer than the application, which forgets it.
  const [pressedTier] = useState(readChosenTier);
  const leaving = survey.phase === 'leaving';

  useEffect(() => {
    if (resumed) toast.info('Resuming your survey from where you left off', { duration: 4000 });
  }, [resumed]);

  useEffect(() => {
    if (shownStep.current === survey.step) return;
    shownStep.current = survey.step;
    window.scrollTo({ top: 0 });
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  }, [survey.step]);

  return (
    <>
      <div inert={leaving}>
        <PageShell
          title={survey.step === 1 ? 'Tell Us Your Taste' : 'Choose Your Membership'}
          lead={
            survey.step === 1
              ? 'Five questions, no wrong answers. Slide until it sounds like you.'
              : site.payments === 'off' && 'You pay at the bar, each month. Nothing is charged here.'
          }
          width="wide"
          back={<BackToDashboard />}
          actions={<SignOutButton size="sm" />}
        >
          <StepProgress steps={STEP_NAMES} current={survey.step} />
          {survey.step === 1 ? (
            <TasteStep survey={survey} />
          ) : (
            <TierStep survey={survey} chosenTier={pressedTier ?? application?.selected_tier ?? null} />
          )}
        </PageShell>
      </div>
      {leaving && site.payments === 'on' && (
        <div className="fixed inset-0 z-40 grid place-items-center bg-backdrop p-6">
          <div className="animate-rise rounded-lg border border-line bg-surface-raised px-10 py-9 shadow-raised">
            <Spinner size="lg" delayed={false} showLabel label="Taking you to the payment page" />
          </div>
        </div>
      )}
    </>
  );
}

function TasteStep({ survey }: { survey: SurveyVisit }) {
  const { ratings, rated, errors, rate, goToTiers } = survey;
  const busy = survey.phase === 'saving';
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void goToTiers();
      }}
    >
      <RatingSliders ratings={ratings} rated={rated} errors={errors} onRate={rate} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-between">
        <Button variant="secondary" disabled>
          Previous
        </Button>
        <Button type="submit" busy={busy} busyLabel="Saving...">
          Continue to Membership Selection
        </Button>
      </div>
    </form>
  );
}

/** Marks a deliberate exit: otherwise /dashboard sends a user with an unfinished survey straight back here. */
function BackToDashboard() {
  return (
    <BackLink to="/dashboard" state={{ leftSurvey: true }}>
      Back to Dashboard
    </BackLink>
  );
}
