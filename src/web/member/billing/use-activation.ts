import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { api, orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';

const MAX_POLLS = 10;
const POLL_INTERVAL_MS = 1_000;
const COUNTDOWN_SECONDS = 3;

export interface Activation {
  phase: 'waiting' | 'active' | 'late';
  /** Seconds until the dashboard opens, once active. */
  secondsLeft: number;
  checkAgain: () => void;
}

/**
 * Waits for the membership to become active after a payment, then counts down and calls `onDone`
 * (`docs/rules/pages.md`, "Member pages").
 */
export function useActivation(onDone: () => void): Activation {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const [phase, setPhase] = useState<Activation['phase']>('waiting');
  const [secondsLeft, setSecondsLeft] = useState(COUNTDOWN_SECONDS);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round polls from the start
  useEffect(() => {
    let canceled = false;
    let polls = 0;
    let timer: ReturnType<typeof setTimeout>;

    // Stripe notifies the server too; this request makes a lost webhook harmless.
    api.functions.verifySubscriptionStatus({}).catch((error: unknown) => {
      logFailure('Verifying the subscription', error);
    });

    const poll = async () => {
      polls += 1;
      const startedAt = Date.now();
      try {
        const me = await api.members.getOwn(undefined, { signal: AbortSignal.timeout(5 * POLL_INTERVAL_MS) });
        if (canceled) return;
        if (me.customer?.status === 'active') {
          client.setQueryData(orpc.members.getOwn.queryKey(), me);
          setPhase('active');
          return;
        }
      } catch (error) {
        logFailure('Loading the membership', error);
      }
      if (canceled) return;
      if (polls === MAX_POLLS) setPhase('late');
      else timer = setTimeout(poll, Math.max(0, POLL_INTERVAL_MS - (Date.now() - startedAt)));
    };
    timer = setTimeout(poll, POLL_INTERVAL_MS);
    return () => {
      canceled = true;
      clearTimeout(timer);
    };
  }, [client, round]);

  useEffect(() => {
    if (phase !== 'active') return;
    if (secondsLeft === 0) return onDone();
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [phase, secondsLeft, onDone]);

  const checkAgain = useCallback(() => {
    setPhase('waiting');
    setRound((count) => count + 1);
  }, []);
  return { phase, secondsLeft, checkAgain };
}
