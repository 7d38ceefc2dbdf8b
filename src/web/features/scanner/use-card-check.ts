import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, serverMessage } from '../../api/client.ts';
import { toast } from '../../ui/toast.ts';
import { logQuietly } from '../quiet-failure.ts';

interface CardCheckEvents {
  /** The code is nobody's. */
  onRefused: () => void;
  /** Nobody could say whose code it is. */
  onFailed: () => void;
}

/** Asks the server whose code it is, and goes where that leads. */
export function useCardCheck({ onRefused, onFailed }: CardCheckEvents) {
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: (token: string) => api.functions.verifyQrToken({ token }),
    onSuccess: async ({ valid, customer, application_id }) => {
      if (application_id) {
        await navigate({ to: '/staff/applications/$id', params: { id: application_id } });
        return;
      }
      if (!valid || !customer) {
        toast.error('Invalid or expired QR code');
        onRefused();
        return;
      }
      toast.success(`Found: ${customer.first_name} ${customer.last_name}`);
      await navigate({
        to: '/staff/customers/$id/add-pour',
        params: { id: customer.id },
        state: { customer },
      });
    },
    onError: (error) => {
      logQuietly('Verifying a code', error);
      toast.error('Failed to verify QR code', { description: serverMessage(error) ?? undefined });
      onFailed();
    },
  });
  const check = (code: string) => {
    const token = code.trim();
    if (token && !isPending) mutate(token);
  };
  return { check, checking: isPending };
}
