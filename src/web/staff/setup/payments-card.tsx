import { type ReactNode, useState } from 'react';
import type {
  PaymentFinding,
  PaymentPlanStep,
  PaymentSetupStep,
  PaymentTrialLine,
} from '../../../contract/staff/setup.ts';
import { refusalOf } from '../../api/api-error.ts';
import { api, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSend } from '../../ui/use-send.ts';

interface State {
  tone: Tone;
  label: string;
}

const HEALTHS: Record<PaymentFinding['health'], State> = {
  well: { tone: 'positive', label: 'OK' },
  attention: { tone: 'warning', label: 'Worth a look' },
  failing: { tone: 'danger', label: 'Problem' },
};

/** How to turn card payments on, or whether Stripe is ready for members. `onNext` is for use as one step of several. */
export function PaymentsCard(props: { onNext?: () => void }) {
  return site.payments === 'off' ? <PaymentsOffCard {...props} /> : <CheckCard {...props} />;
}

function CheckCard({ onNext }: { onNext?: () => void }) {
  const [findings, setFindings] = useState<PaymentFinding[]>();
  const { busy, failure, send } = useSend();
  const check = () =>
    send(async () => setFindings((await api.setup.checkPayments()).findings), whyUnanswered);
  const [offered, setOffered] = useState(false);
  // The card keeps listing what was done, even when nothing is left to do.
  const missing = findings?.some(({ setup }) => setup) ?? offered;
  if (!offered && missing) setOffered(true);
  // Only one button is filled: the check, then the set-up, then the next step.
  const checked = findings !== undefined || offered;
  return (
    <Card title={onNext && 'Stripe'}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <p className="flex-1 basis-48 text-balance">Checks your Stripe setup without changing anything.</p>
        <Button
          variant={checked ? 'secondary' : 'primary'}
          busy={busy}
          busyLabel="Asking Stripe..."
          onClick={check}
        >
          {findings ? 'Check Again' : 'Check Stripe'}
        </Button>
      </div>
      {findings && (
        <ul className="mt-5 flex flex-col gap-3" aria-label="What Stripe says">
          {findings.map(({ health, about, text }) => (
            <SetupLine key={`${about} ${text}`} {...HEALTHS[health]}>
              <span className="inline-block font-semibold first-letter:uppercase">{about}</span>: {text}
            </SetupLine>
          ))}
        </ul>
      )}
      <div className="mt-5 empty:hidden">
        <FormError of={failure} />
      </div>
      {offered && <SetUpPayments missing={missing} onDone={check} />}
      {onNext && (
        <Button variant={checked && !missing ? 'primary' : 'secondary'} className="mt-5" onClick={onNext}>
          {findings ? 'Continue' : 'Later'}
        </Button>
      )}
    </Card>
  );
}

function PaymentsOffCard({ onNext }: { onNext?: () => void }) {
  return (
    <Card title="Turn On Card Payments">
      <div className="flex flex-col items-start gap-4">
        <p>
          Without Stripe, people sign up and choose a tier here, then pay at your bar. You approve their
          application with the reference number from your till, or add them yourself under Add Member.
        </p>
        <p>
          To take cards, ask the person who runs your server to set one variable, with the secret key from
          Stripe’s dashboard, and to restart the server:
        </p>
        <pre className="max-w-full whitespace-pre-wrap rounded-md wrap-anywhere bg-surface-sunken px-4 py-3 text-sm">
          STRIPE_SECRET_KEY=sk_live_...
        </pre>
        <p>
          Then set up the rest {onNext ? 'in Settings, under Stripe' : 'on this page'}. Members who pay at the
          venue go on unchanged; only new ones pay by card.
        </p>
        {onNext && <Button onClick={onNext}>Continue</Button>}
      </div>
    </Card>
  );
}

const STEPS: Record<PaymentPlanStep['outcome'] | PaymentSetupStep['outcome'], State> = {
  make: { tone: 'accent', label: 'To create' },
  change: { tone: 'accent', label: 'To change' },
  unread: { tone: 'danger', label: 'Not answered' },
  made: { tone: 'positive', label: 'Created' },
  changed: { tone: 'positive', label: 'Changed' },
  failed: { tone: 'danger', label: 'Failed' },
  unchanged: { tone: 'positive', label: 'OK' },
};

const TRIED: Record<Exclude<PaymentTrialLine['verdict'], 'ok'>, State> = {
  differs: { tone: 'warning', label: 'Differs' },
  refused: { tone: 'danger', label: 'Refused' },
  unanswered: { tone: 'danger', label: 'Not answered' },
};

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

/** Does exactly what it lists first. `missing`: something is left to do. */
function SetUpPayments({ missing, onDone }: { missing: boolean; onDone: () => void }) {
  const [plan, setPlan] = useState<Awaited<ReturnType<typeof api.setup.planPayments>>>();
  const [done, setDone] = useState<Awaited<ReturnType<typeof api.setup.setUpPayments>>>();
  const { busy, failure, send } = useSend();
  const steps = done?.steps ?? plan?.steps;
  const failed = done?.steps.some(({ outcome }) => outcome === 'failed');
  const readPlan = async () => setPlan(await api.setup.planPayments());
  const look = () => {
    setDone(undefined);
    setPlan(undefined);
    void send(readPlan, whyUnanswered);
  };
  const setUp = (plan: string) =>
    send(
      async () => {
        setDone(await api.setup.setUpPayments({ plan }));
        onDone();
      },
      async (error) => {
        if (refusalOf(error, 'SETUP_CHANGED')) await readPlan().catch(() => undefined);
        return whyUnanswered(error);
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

function SetupLine({ tone, label, children }: State & { children: ReactNode }) {
  return (
    <li className="flex flex-col items-start gap-1 sm:grid sm:grid-cols-[8rem_minmax(0,1fr)] sm:items-baseline sm:justify-items-start">
      <Badge tone={tone}>{label}</Badge>
      <span className="max-w-full wrap-anywhere first-letter:uppercase">{children}</span>
    </li>
  );
}

const whyUnanswered = (error: unknown) =>
  serverMessage(error) ?? 'We couldn’t reach Stripe. Please try again.';
