import { useState } from 'react';
import type { PaymentPlanStep, PaymentSetupStep, PaymentTrialLine } from '../../../contract/staff/setup.ts';
import { refusalOf } from '../../api/api-error.ts';
import { api, serverMessage } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSend } from '../../ui/use-send.ts';
import { SetupLine } from './setup-line.tsx';

const STEPS: Record<PaymentPlanStep['outcome'] | PaymentSetupStep['outcome'], { tone: Tone; label: string }> =
  {
    make: { tone: 'accent', label: 'To create' },
    change: { tone: 'accent', label: 'To change' },
    unread: { tone: 'danger', label: 'Not answered' },
    made: { tone: 'positive', label: 'Created' },
    changed: { tone: 'positive', label: 'Changed' },
    failed: { tone: 'danger', label: 'Failed' },
    unchanged: { tone: 'positive', label: 'OK' },
  };

const TRIED: Record<Exclude<PaymentTrialLine['verdict'], 'ok'>, { tone: Tone; label: string }> = {
  differs: { tone: 'warning', label: 'Differs' },
  refused: { tone: 'danger', label: 'Refused' },
  unanswered: { tone: 'danger', label: 'Not answered' },
};

/** The result of trying Stripe out: each failed step in Stripe's own words. */
function Tried({ tried, closed }: { tried: PaymentTrialLine[]; closed: boolean }) {
  const took = tried.filter(({ verdict }) => verdict === 'ok').length;
  return (
    <>
      {tried.length > 0 && (
        <ul className="my-4 flex flex-col gap-3" aria-label="Test">
          {tried.map(({ verdict, about, text }) =>
            verdict === 'ok' ? null : (
              <SetupLine key={`${about} ${text}`} {...TRIED[verdict]}>
                <span className="inline-block font-semibold first-letter:uppercase">{about}</span>: {text}
              </SetupLine>
            ),
          )}
          <SetupLine tone="positive" label="Works">
            {took} of {tried.length} steps of the test
          </SetupLine>
        </ul>
      )}
      {closed && (
        <Notice tone="danger" role="alert" className="my-4">
          Joining stays closed: nobody can join or buy a gift by card. Fix what Stripe refused, then set it up
          again.
        </Notice>
      )}
    </>
  );
}

/**
 * Lists what the set-up would create and change at Stripe, does exactly that, and reports the result. `missing`: something
 * is left to do.
 */
export function SetUpPayments({ missing, onDone }: { missing: boolean; onDone: () => void }) {
  const [plan, setPlan] = useState<Awaited<ReturnType<typeof api.setup.planPayments>>>();
  const [done, setDone] = useState<Awaited<ReturnType<typeof api.setup.setUpPayments>>>();
  const { busy, failure, send } = useSend();
  const onError = (error: unknown) => serverMessage(error) ?? 'We couldn’t reach Stripe. Please try again.';
  const steps = done?.steps ?? plan?.steps;
  const failed = done?.steps.some(({ outcome }) => outcome === 'failed');
  const readPlan = async () => setPlan(await api.setup.planPayments());
  const look = () => {
    setDone(undefined);
    setPlan(undefined);
    void send(readPlan, onError);
  };
  const setUp = (shown: string) =>
    send(
      async () => {
        setDone(await api.setup.setUpPayments({ plan: shown }));
        onDone();
      },
      async (error) => {
        if (refusalOf(error, 'SETUP_CHANGED')) await readPlan().catch(() => undefined);
        return onError(error);
      },
    );
  return (
    <section aria-labelledby="set-up-payments" className="mt-6 border-line border-t pt-5">
      <h3 id="set-up-payments" className="font-title text-lg">
        {done ? 'What Was Done at Stripe' : 'Set Up at Stripe'}
      </h3>
      {!steps && (
        <p className="mt-1">
          Creates what is missing at Stripe, fixes what is wrong, and tests it. You’ll see the list first.
          With a test key, the test takes about a minute.
        </p>
      )}
      {plan?.mode === 'live' && !done && (
        <Notice className="mt-3">This is your live account. Setting it up charges nobody.</Notice>
      )}
      {steps && (
        <ul className="my-4 flex flex-col gap-3" aria-label={done ? 'Done' : 'To be done'}>
          {steps.map(({ outcome, text }) => (
            <SetupLine key={text} {...STEPS[outcome]}>
              {text}
            </SetupLine>
          ))}
        </ul>
      )}
      <div className="my-4 empty:hidden">
        <FormError of={failure} />
      </div>
      {done && <Tried {...done} />}
      {failed && (
        <Notice tone="danger" role="alert" className="my-4">
          Not everything was set up. What was created stays. Fix what the list shows, then set up again.
        </Notice>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {plan && !done ? (
          <>
            <Button busy={busy} busyLabel="Setting up..." onClick={() => setUp(plan.plan)}>
              Set Up Stripe
            </Button>
            <Button variant="secondary" disabled={busy} onClick={() => setPlan(undefined)}>
              Cancel
            </Button>
          </>
        ) : (
          <Button
            variant={missing ? 'primary' : 'secondary'}
            busy={busy}
            busyLabel="Asking Stripe..."
            onClick={look}
          >
            {done ? 'Look Again' : 'Show What Will Change'}
          </Button>
        )}
      </div>
    </section>
  );
}
