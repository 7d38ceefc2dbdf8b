import { useMutation, useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';

/** Takes a cancellation back, before it takes effect. */
export function KeepMembership() {
  const client = useQueryClient();
  const keeping = useMutation(
    orpc.billing.resumeSubscription.mutationOptions({
      onSuccess: (answer) => {
        toast.success('Membership kept', { description: 'It renews as before.' });
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      },
      onError: () => {
        toast.error('Error', {
          description: 'Your membership could not be kept just now. Please try again.',
        });
      },
    }),
  );
  return (
    <Button busy={keeping.isPending} busyLabel="One moment..." onClick={() => keeping.mutate(undefined)}>
      Keep Membership
    </Button>
  );
}

interface InvoiceButtonProps {
  /** Absent for the one that waits for its payment. */
  invoice?: string;
  label: string;
  variant?: 'secondary' | 'quiet';
  children: string;
}

/** On to the payment service's page of an invoice: to look at it, or to pay what is open. */
export function InvoiceButton({ invoice, label, variant = 'quiet', children }: InvoiceButtonProps) {
  const leaving = useMutation(
    orpc.billing.openInvoice.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: () => {
        toast.error('Error', { description: 'The invoice could not be opened. Please try again.' });
      },
    }),
  );
  return (
    <Button
      variant={variant}
      size={variant === 'quiet' ? 'sm' : 'md'}
      aria-label={label}
      busy={leaving.isPending || leaving.isSuccess}
      onClick={() => leaving.mutate(invoice === undefined ? {} : { invoice_id: invoice })}
    >
      {children}
    </Button>
  );
}

/** On to the payment service's page for a new card, and back to this one. */
export function UpdateCard() {
  const leaving = useMutation(
    orpc.billing.updatePaymentMethod.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: () => {
        toast.error('Error', {
          description: 'The page for your card could not be opened. Please try again.',
        });
      },
    }),
  );
  return (
    <Button
      variant="secondary"
      busy={leaving.isPending || leaving.isSuccess}
      busyLabel="Opening..."
      onClick={() => leaving.mutate(undefined)}
    >
      Update Card
    </Button>
  );
}
