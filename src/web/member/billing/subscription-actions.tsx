import { useMutation, useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';

/** Undoes a cancellation that has not taken effect yet. */
export function KeepMembershipButton() {
  const client = useQueryClient();
  const resumption = useMutation(
    orpc.billing.resumeSubscription.mutationOptions({
      onSuccess: (answer) => {
        toast.success('Your membership continues', { description: 'It renews as before.' });
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      },
      onError: (error) => {
        toast.error('Error', {
          description: 'Your cancellation could not be undone. Please try again.',
          of: error,
        });
      },
    }),
  );
  return (
    <Button
      busy={resumption.isPending}
      busyLabel="One moment..."
      onClick={() => resumption.mutate(undefined)}
    >
      Keep Membership
    </Button>
  );
}

interface InvoiceButtonProps {
  /** The id of the payment; without one, the open invoice. */
  invoice?: string;
  label: string;
  variant?: 'secondary' | 'quiet';
  children: string;
}

/** Opens the payment service's page of an invoice, to view or pay it. */
export function InvoiceButton({ invoice, label, variant = 'quiet', children }: InvoiceButtonProps) {
  const redirect = useMutation(
    orpc.billing.openInvoice.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: (error) => {
        toast.error('Error', {
          description: 'The invoice could not be opened. Please try again.',
          of: error,
        });
      },
    }),
  );
  return (
    <Button
      variant={variant}
      size={variant === 'quiet' ? 'sm' : 'md'}
      aria-label={label}
      busy={redirect.isPending || redirect.isSuccess}
      onClick={() => redirect.mutate(invoice === undefined ? {} : { invoice_id: invoice })}
    >
      {children}
    </Button>
  );
}

/** Opens the payment service's page for a new card, which returns here. */
export function UpdateCardButton() {
  const redirect = useMutation(
    orpc.billing.updatePaymentMethod.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: (error) => {
        toast.error('Error', {
          description: 'The page to update your card could not be opened. Please try again.',
          of: error,
        });
      },
    }),
  );
  return (
    <Button
      variant="secondary"
      busy={redirect.isPending || redirect.isSuccess}
      busyLabel="Opening..."
      onClick={() => redirect.mutate(undefined)}
    >
      Update Card
    </Button>
  );
}
