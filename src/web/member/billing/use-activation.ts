import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { api, orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';

const mostPolls = 10;
const pollEveryMs = 1_000;
const countdownFrom = 3;

export interface Activation {
  phase: 'waiting' | 'active' | 'late';
  /** Seconds until the dashboard opens, once active. */
  secondsLeft: number;
  checkAgain: () => void;
}

/**
 * Waits for the active membership after a payment: asks every second, ten times at most (spec section 9).
 * A renewing member has a record already, so it is its status that counts (design section 5).
 */
export function useActivation(onArrived: () => void): Activation {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const [phase, setPhase] = useState<Activation['phase']>('waiting');
  const [secondsLeft, setSecondsLeft] = useState(countdownFrom);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round begins the waiting anew
  useEffect(() => {
    let over = false;
    let polls = 0;
    let timer: ReturnType<typeof setTimeout>;

    // The payment service tells the server by itself; asking as well makes a lost message harmless.
    api.functions.verifySubscriptionStatus({}).catch((error: unknown) => {
      logFailure('The subscription could not be verified', error);
    });

    const poll = async () => {
      polls += 1;
      const asked = Date.now();
      try {
        const me = await api.members.getOwn(undefined, { signal: AbortSignal.timeout(5 * pollEveryMs) });
        if (over) return;
        if (me.customer?.status === 'active') {
          client.setQueryData(orpc.members.getOwn.queryKey(), me);
          setPhase('active');
          return;
        }
      } catch (error) {
        logFailure('The membership could not be looked up', error);
      }
      if (over) return;
      if (polls === mostPolls) setPhase('late');
      else timer = setTimeout(poll, Math.max(0, pollEveryMs - (Date.now() - asked)));
    };
    timer = setTimeout(poll, pollEveryMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [client, round]);

  useEffect(() => {
    if (phase !== 'active') return;
    if (secondsLeft === 0) return onArrived();
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [phase, secondsLeft, onArrived]);

  const checkAgain = useCallback(() => {
    setPhase('waiting');
    setRound((done) => done + 1);
  }, []);
  return { phase, secondsLeft, checkAgain };
}
