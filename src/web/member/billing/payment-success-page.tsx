import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { Crest } from '../../brand/crest.tsx';
import { SupportLink } from '../../brand/support-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Ring } from '../../ui/ring.tsx';
import { useActivation } from './use-activation.ts';

export function PaymentSuccessPage() {
  const navigate = useNavigate();
  const openDashboard = useCallback(() => void navigate({ to: '/dashboard', replace: true }), [navigate]);
  const { phase, secondsLeft, checkAgain } = useActivation(openDashboard);
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
            <LinkButton to="/dashboard" replace>
              Go to Dashboard
            </LinkButton>
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
