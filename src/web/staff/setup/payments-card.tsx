import { useState } from 'react';
import type { PaymentFinding } from '../../../contract/staff/setup.ts';
import { api, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import type { Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useSend } from '../../ui/use-send.ts';
import { SetUpPayments } from './set-up-payments.tsx';
import { SetupLine } from './setup-line.tsx';

const VERDICTS: Record<PaymentFinding['verdict'], { tone: Tone; label: string }> = {
  ok: { tone: 'positive', label: 'OK' },
  look: { tone: 'warning', label: 'Worth a look' },
  wrong: { tone: 'danger', label: 'Problem' },
};

/** How to turn card payments on, or whether Stripe is ready for members. `onNext` is for use as one step of several. */
export function PaymentsCard(props: { onNext?: () => void }) {
  return site.payments === 'off' ? <PaymentsOffCard {...props} /> : <CheckCard {...props} />;
}

/** Whether Stripe is ready for members, and how to set it up. */
function CheckCard({ onNext }: { onNext?: () => void }) {
  const [findings, setFindings] = useState<PaymentFinding[]>();
  const { busy, failure, send } = useSend();
  const check = () =>
    send(
      async () => setFindings((await api.setup.checkPayments()).findings),
      (error) => serverMessage(error) ?? 'We couldn’t reach Stripe. Please try again.',
    );
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
          {findings.map(({ verdict, about, text }) => (
            <SetupLine key={`${about} ${text}`} {...VERDICTS[verdict]}>
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
          To let them pay by card, whoever runs your server sets one variable, with the secret key from
          Stripe’s dashboard, and restarts the server:
        </p>
        <pre className="max-w-full whitespace-pre-wrap rounded-md [overflow-wrap:anywhere] bg-surface-sunken px-4 py-3 text-sm">
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
