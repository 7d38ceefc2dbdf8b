import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RefusedHolder } from '../../../contract/functions.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { noAccessReason } from '../../format/standing-labels.ts';
import { type ToastOptions, toast } from '../../ui/toast.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { queueStore } from '../offline-queue/queue-store.ts';

const ASK_AGAIN = { description: 'Ask them to open their card again.' };

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
    onSuccess: async ({ valid, customer, application_id, refused }) => {
      if (application_id) {
        playFeedback('accepted');
        toast.info('Not a member yet: this application is pending', { nextPage: true });
        await navigate({ to: '/staff/applications/$id', params: { id: application_id } });
        return;
      }
      if (!valid || !customer) {
        playFeedback('refused');
        toast.error('Invalid or expired QR code', refused ? whoseItIs(refused) : ASK_AGAIN);
        onRefused();
        return;
      }
      playFeedback('accepted');
      toast.success(`Found: ${customer.first_name} ${customer.last_name}`, { nextPage: true });
      const { first_name, last_name, tier } = customer;
      queueStore.noteBalance(customer.id, customer.pours_balance, Date.now(), {
        first_name,
        last_name,
        tier,
      });
      void queries.prefetchQuery(orpc.members.getBarCard.queryOptions({ input: { id: customer.id } }));
      await navigate({
        to: '/staff/customers/$id/add-pour',
        params: { id: customer.id },
        state: { customer, scanned: true },
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
  /** The second line under a refused code, with the way to the member's page. */
  const whoseItIs = (holder: RefusedHolder): ToastOptions => {
    const reason = noAccessReason(holder, new Date());
    return {
      description: `${holder.first_name} ${holder.last_name}${reason ? `: ${reason}` : ''}`,
      action: {
        label: 'View Customer',
        onClick: () => void navigate({ to: '/staff/customers/$id', params: { id: holder.id } }),
      },
      duration: 20_000,
    };
  };
  const verify = (code: string) => {
    const token = code.trim();
    if (token && !isPending) mutate(token);
  };
  return { verify, verifying: isPending };
}

function offlineText(): string | undefined {
  return navigator.onLine ? undefined : "You're offline. Cards can only be verified online.";
}
