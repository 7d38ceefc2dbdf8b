import CreditCard from 'lucide-react/icons/credit-card';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useImportAction } from './use-imports.ts';

/** For a venue whose members already paid through Stripe before it moved here. */
export function LookAtStripeCard() {
  const look = useImportAction(api.adoptions.create, 'Stripe could not be asked. Please try again.');
  return (
    <Card title="Members Who Already Pay Through Stripe">
      <div className="flex flex-col items-start gap-4">
        <p>
          If the connected Stripe account already has subscriptions, they can become memberships here: the
          same card, the same amount, the same day. You first see what would happen to each. Nobody is
          charged, and nobody gets an email unless you ask for it.
        </p>
        <Button
          variant="secondary"
          icon={<CreditCard size={18} aria-hidden="true" />}
          busy={look.busy}
          busyLabel="Asking Stripe..."
          onClick={() => look.run({})}
        >
          Look at Stripe
        </Button>
      </div>
    </Card>
  );
}
