import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { api, orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { Crest } from '../../brand/crest.tsx';
import { SupportLink } from '../../brand/support-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Ring } from '../../ui/ring.tsx';

export default function PaymentSuccessPage() {
  const navigate = useNavigate();
  const openDashboard = useCallback(() => void navigate({ to: '/dashboard', replace: true }), [navigate]);
  const { phase, hasFreeSeat, secondsLeft, checkAgain } = useActivation(openDashboard);
  return (
    <PageShell
      width="narrow"
      centered
      title="Payment Successful"
      heading={
        <>
          <Crest className="mx-auto mt-8 lying:mt-0 mb-5 lying:mb-2 h-20 lying:h-8 w-auto text-brass" />
          Payment Successful
        </>
      }
    >
      <Card raised className="min-h-60 lying:min-h-40 content-center text-center">
        <div role="status" className="flex flex-col items-center gap-5">
          {phase === 'waiting' && (
            <>
              <Ring className="size-12 text-accent-text" />
              <p className="font-title text-xl">Your membership is now being activated</p>
            </>
          )}
          {phase === 'active' && (
            <p className="text-balance font-title text-2xl">
              Welcome to our wine club! Your membership is now active
            </p>
          )}
          {phase === 'late' && (
            <>
              <p className="font-title text-xl">This is taking a little longer than usual</p>
              <p className="text-ink-muted">
                You don’t need to pay again. We’ll start your membership as soon as your bank’s confirmation
                reaches us, usually within minutes.
              </p>
            </>
          )}
        </div>
        {phase === 'active' && (
          <>
            <p className="mt-4 mb-6 text-ink-muted tabular-nums">
              Your dashboard opens in {secondsLeft > 1 ? `${secondsLeft} seconds` : '1 second'}
            </p>
            {hasFreeSeat && <p className="mb-4">It is for two: invite the person you share it with.</p>}
            <div className="flex flex-wrap justify-center gap-3">
              {hasFreeSeat && (
                <LinkButton to="/household" replace>
                  Invite Your Partner
                </LinkButton>
              )}
              <LinkButton to="/dashboard" replace variant={hasFreeSeat ? 'secondary' : 'primary'}>
                Go to Dashboard
              </LinkButton>
            </div>
          </>
        )}
        {phase === 'late' && (
          <>
            <div className="mt-6 mb-5 flex flex-col gap-3">
              <Button onClick={checkAgain}>Check Again</Button>
              <LinkButton to="/dashboard" variant="secondary">
                Back to Dashboard
              </LinkButton>
            </div>
            <p className="text-ink-muted text-sm">
              Still waiting? Email <SupportLink subject="My membership is not active yet" />
            </p>
          </>
        )}
      </Card>
    </PageShell>
  );
}

const MAX_POLLS = 10;
const POLL_INTERVAL_MS = 1_000;
const COUNTDOWN_SECONDS = 3;

/** Waits for the membership to become active, then counts down (`docs/rules/pages.md`, "Member pages"). */
function useActivation(onDone: () => void) {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const [phase, setPhase] = useState<'waiting' | 'active' | 'late'>('waiting');
  const [hasFreeSeat, setFreeSeat] = useState(false);
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
          setFreeSeat(me.has_free_seat);
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
  return { phase, hasFreeSeat, secondsLeft, checkAgain };
}
