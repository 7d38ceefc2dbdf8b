import { useEffect, useRef, useState } from 'react';
import type { Application, SurveyPreferences } from '../../../contract/applications.ts';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { site } from '../../api/site.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { StepProgress } from '../../ui/step-progress.tsx';
import { toast } from '../../ui/toast.ts';
import { BackToDashboard } from './back-to-dashboard.tsx';
import { RedirectOverlay } from './redirect-overlay.tsx';
import { TasteStep } from './taste-step.tsx';
import { TierStep } from './tier-step.tsx';
import { useSurvey } from './use-survey.ts';

export const STEP_NAMES = ['Your taste', 'Your membership'];

interface SurveyProps {
  /** The pending application when the page opened. */
  application: Application | null;
  /** The answers of an earlier membership. */
  lastAnswers: SurveyPreferences | null;
  userId: string;
}

export function Survey({ application, lastAnswers, userId }: SurveyProps) {
  const survey = useSurvey(application, lastAnswers, userId);
  const shownStep = useRef(survey.step);
  // Whether a survey was already under way when the page opened; saves in this visit do not count.
  const [resumed] = useState(application !== null && !application.is_complete);
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
              : site.payments === 'off'
                ? 'You pay at the bar, each month. Nothing is charged here.'
                : 'Billed monthly. Cancel anytime.'
          }
          width="wide"
          back={<BackToDashboard />}
          actions={<SignOutButton size="sm" />}
        >
          <StepProgress steps={STEP_NAMES} current={survey.step} />
          {survey.step === 1 ? (
            <TasteStep
              ratings={survey.ratings}
              rated={survey.rated}
              errors={survey.errors}
              busy={survey.phase === 'saving'}
              onRate={survey.rate}
              onContinue={() => void survey.goToTiers()}
            />
          ) : (
            <TierStep
              chosenTier={application?.selected_tier ?? null}
              busy={leaving}
              currentWords={survey.currentWords}
              onChoose={(tier, version) => void survey.goToPayment(tier, version)}
              onPayAtVenue={(tier) => void survey.payAtVenue(tier)}
              onPrevious={survey.goBack}
            />
          )}
        </PageShell>
      </div>
      {leaving && site.payments === 'on' && <RedirectOverlay />}
    </>
  );
}
