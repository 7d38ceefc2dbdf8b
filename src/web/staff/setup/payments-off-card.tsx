import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

/** The step that turns card payments on. `onNext` is for use as one step of several. */
export function PaymentsOffCard({ onNext }: { onNext?: () => void }) {
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
