import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useContext, useReducer, useRef, useState } from 'react';
import type { Application, SurveyPreferences } from '../../../contract/applications.ts';
import type { SurveyRating } from '../../../domain/application.ts';
import type { ConsentWords } from '../../../domain/consent.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { forgetChosenTier } from '../../api/joining.ts';
import { SessionRefusal } from '../../api/session-refusal.ts';
import { deleteSurveyDraft, keepInSurveyDraft, readSurveyDraft } from '../../api/survey-draft.ts';
import { toast } from '../../ui/toast.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { showCheckoutFailure } from '../../visitor/checkout-failure.ts';
import type { Period } from '../../visitor/period-choice.tsx';
import { ratingErrors } from './rating-rules.ts';
import { surveyFrom, surveyReducer } from './survey-state.ts';

const serverDescription = (error: unknown) => ({
  description: serverMessage(error) ?? undefined,
  of: error,
});

export function useSurvey(application: Application | null, last: SurveyPreferences | null, userId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const noteRefusal = useContext(SessionRefusal);
  const [state, dispatch] = useReducer(surveyReducer, application, () =>
    surveyFrom(application, { last, draft: readSurveyDraft(userId) }),
  );
  const [phase, setPhase] = useState<'answering' | 'saving' | 'leaving'>('answering');
  /** The server's text beside a tier's button, by wordsKey, after it refused the text made here from the tier. */
  const [currentWords, setCurrentWords] = useState<Record<string, ConsentWords>>({});
  // State is one render behind, and two taps within one render must not become two payments.
  const running = useRef(false);

  useOnReturn(() => {
    running.current = false;
    setPhase('answering');
  });

  const begin = (next: typeof phase) => {
    running.current = next !== 'answering';
    setPhase(next);
  };

  /** The saved application; null after an error, with a toast. */
  const save = async (tier: Parameters<typeof api.applications.save>[0]['selected_tier']) => {
    try {
      const application = await api.applications.save({
        id: state.applicationId,
        preferences: state.ratings,
        rated: state.rated,
        selected_tier: tier,
        current_step: 2,
        is_complete: Boolean(tier),
      });
      deleteSurveyDraft();
      if (tier) forgetChosenTier();
      dispatch({ type: 'saved', applicationId: application.id });
      client.setQueryData(orpc.members.getOwn.queryKey(), (me) => me && { ...me, application });
      return application;
    } catch (error) {
      toast.error('Failed to save progress', serverDescription(error));
      // The answers stay in the draft on this device.
      noteRefusal(error);
      return null;
    }
  };

  const goToTiers = async () => {
    if (running.current) return;
    const errors = ratingErrors(state.ratings);
    if (Object.keys(errors).length > 0) return dispatch({ type: 'refused', errors });
    begin('saving');
    if (await save(null)) {
      toast.success('Progress saved');
      dispatch({ type: 'stepped', step: 2 });
    }
    begin('answering');
  };

  const goToPayment = async (tierName: string, period: Period, consentVersion: string) => {
    if (running.current) return;
    begin('leaving');
    const application = await save(tierName);
    if (!application) return begin('answering');
    try {
      const { url } = await api.functions.createCheckout({
        tierName,
        applicationId: application.id,
        userId,
        ...(period === 'year' && { period }),
        consentVersion,
      });
      // The overlay stays, because this page is still open while the browser fetches the next one.
      window.location.assign(url);
    } catch (error) {
      showCheckoutFailure(error);
      begin('answering');
      const words = refusalOf(error, 'CONSENT_OUTDATED')?.data.current;
      if (words) {
        setCurrentWords((before) => ({ ...before, [wordsKey(tierName, period)]: words }));
        void client.invalidateQueries({ queryKey: orpc.tiers.list.key() });
      }
      if (refusalOf(error, 'ALREADY_MEMBER')) await navigate({ to: '/dashboard' });
    }
  };

  /** Saves the choice: staff start the membership once it is paid at the bar. */
  const payAtVenue = async (tierName: string) => {
    if (running.current) return;
    begin('leaving');
    if (await save(tierName)) await navigate({ to: '/dashboard' });
    else begin('answering');
  };

  return {
    ...state,
    phase,
    currentWords,
    rate: (rating: SurveyRating, value: number) => {
      keepInSurveyDraft(userId, rating, value);
      dispatch({ type: 'rated', rating, value });
    },
    goToTiers,
    goToPayment,
    payAtVenue,
    goBack: () => dispatch({ type: 'stepped', step: state.step - 1 }),
  };
}

export const wordsKey = (tier: string, period: Period) => `${tier} ${period}`;

export type SurveyVisit = ReturnType<typeof useSurvey>;
