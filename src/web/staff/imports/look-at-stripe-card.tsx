import CreditCard from 'lucide-react/icons/credit-card';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useImportAction } from './use-imports.ts';

/** For a venue whose members already paid through Stripe before it moved here. */
export function LookAtStripeCard() {
  const look = useImportAction(api.adoptions.create, 'We couldn’t reach Stripe. Please try again.');
  return (
    <Card title="Members Who Already Pay Through Stripe">
      <div className="flex flex-col items-start gap-4">
        <p className="max-w-[70ch]">
          If your Stripe account already has subscriptions, you can turn them into memberships here. Card,
          price and billing date stay the same. You’ll see what happens to each one first. Nobody is charged,
          and no emails are sent unless you send them.
        </p>
        <Button
          variant="secondary"
          icon={<CreditCard size={18} aria-hidden="true" />}
          busy={look.busy}
          busyLabel="Asking Stripe..."
          onClick={() => look.run({})}
        >
          Find Subscriptions
        </Button>
      </div>
    </Card>
  );
}
