import { useMutation, useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { toast } from '../../ui/toast.ts';

interface CancelDialogProps {
  open: boolean;
  /** As it shall be read. */
  periodEnd: string;
  onClose: () => void;
}

export function CancelDialog({ open, periodEnd, onClose }: CancelDialogProps) {
  const client = useQueryClient();
  const cancelling = useMutation(
    orpc.functions.cancelSubscription.mutationOptions({
      onSuccess: ({ cancel_at }) => {
        onClose();
        toast.success('Subscription Cancelled', {
          description: `You have access until ${dateOfInstant(cancel_at)}.`,
        });
        // At once from the answer, so that the button is gone before anybody presses it again.
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), (known) =>
          known?.subscription
            ? {
                subscription: {
                  ...known.subscription,
                  cancel_at_period_end: true,
                  current_period_end: cancel_at,
                },
              }
            : known,
        );
        void client.invalidateQueries({ queryKey: orpc.functions.getSubscriptionDetails.key() });
      },
      onError: () => {
        toast.error('Error', { description: 'Failed to cancel subscription. Please try again.' });
      },
    }),
  );
  return (
    <AlertDialog
      open={open}
      title="Cancel Subscription"
      description={`Your card will not be charged again. You keep your pours until ${periodEnd}, and you can come back whenever you like.`}
      confirmLabel="Yes, Cancel"
      busyLabel="Cancelling..."
      cancelLabel="Keep Membership"
      busy={cancelling.isPending}
      onConfirm={() => cancelling.mutate({})}
      onClose={onClose}
    />
  );
}
