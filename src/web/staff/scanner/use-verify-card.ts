import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { toast } from '../../ui/toast.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { queueStore } from '../offline-queue/queue-store.ts';

interface VerifyCardEvents {
  /** The code is invalid or expired. */
  onRefused: () => void;
  /** The code could not be checked. */
  onFailed: () => void;
}

/** Asks the server whose code it is, and opens that member or application. */
export function useVerifyCard({ onRefused, onFailed }: VerifyCardEvents) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (token: string) => api.functions.verifyQrToken({ token }),
    onSuccess: async ({ valid, customer, application_id }) => {
      if (application_id) {
        playFeedback('accepted');
        toast.info('Not a member yet: this application is pending');
        await navigate({ to: '/staff/applications/$id', params: { id: application_id } });
        return;
      }
      if (!valid || !customer) {
        playFeedback('refused');
        toast.error('Invalid or expired QR code', { description: 'Ask them to open their card again.' });
        onRefused();
        return;
      }
      playFeedback('accepted');
      toast.success(`Found: ${customer.first_name} ${customer.last_name}`);
      queueStore.noteBalance(customer.id, customer.pours_balance);
      void queries.prefetchQuery(orpc.members.getBarCard.queryOptions({ input: { id: customer.id } }));
      await navigate({
        to: '/staff/customers/$id/add-pour',
        params: { id: customer.id },
        state: { customer },
      });
    },
    onError: (error) => {
      logFailure('Verifying a code', error);
      playFeedback('refused');
      toast.error('Failed to verify QR code', {
        description: serverMessage(error) ?? offlineText(),
        of: error,
      });
      onFailed();
    },
  });
  const verify = (code: string) => {
    const token = code.trim();
    if (token && !isPending) mutate(token);
  };
  return { verify, verifying: isPending };
}

function offlineText(): string | undefined {
  return navigator.onLine ? undefined : "You're offline. Cards can only be verified online.";
}
