import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentFinding } from '../../../contract/staff/setup.ts';
import { orpc, serverMessage } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SetUpPayments } from './set-up-payments.tsx';
import { SetupLine } from './setup-line.tsx';

const VERDICTS: Record<PaymentFinding['verdict'], { tone: Tone; label: string }> = {
  ok: { tone: 'positive', label: 'OK' },
  look: { tone: 'warning', label: 'Worth a look' },
  wrong: { tone: 'danger', label: 'Problem' },
};

/** Whether Stripe is ready for members, and how to set it up. `onNext` is for use as one step of several. */
export function PaymentsCard({ onNext }: { onNext?: () => void }) {
  const check = useMutation(orpc.setup.checkPayments.mutationOptions());
  const findings = check.data?.findings;
  const [offered, setOffered] = useState(false);
  // The card keeps listing what was done, even when nothing is left to do.
  const missing = findings?.some(({ setup }) => setup) ?? offered;
  if (!offered && missing) setOffered(true);
  // Only one button is filled: the check, then the set-up, then the next step.
  const checked = check.data !== undefined || offered;
  return (
    <Card title="Stripe">
      <p>Checks your Stripe setup without changing anything.</p>
      {findings && (
        <ul className="my-5 flex flex-col gap-3" aria-label="What Stripe says">
          {findings.map(({ verdict, about, text }) => (
            <SetupLine key={`${about} ${text}`} {...VERDICTS[verdict]}>
              <span className="inline-block font-semibold first-letter:uppercase">{about}</span>: {text}
            </SetupLine>
          ))}
        </ul>
      )}
      {check.isError && (
        <Notice tone="danger" role="alert" className="my-5">
          {serverMessage(check.error) ?? 'We couldn’t reach Stripe. Please try again.'}
        </Notice>
      )}
      {offered && <SetUpPayments missing={missing} onDone={() => check.mutate({})} />}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button
          variant={checked ? 'secondary' : 'primary'}
          busy={check.isPending}
          busyLabel="Asking Stripe..."
          onClick={() => check.mutate({})}
        >
          {findings ? 'Check Again' : 'Check Stripe'}
        </Button>
        {onNext && (
          <Button variant={checked && !missing ? 'primary' : 'secondary'} onClick={onNext}>
            {findings ? 'Continue' : 'Later'}
          </Button>
        )}
      </div>
    </Card>
  );
}
