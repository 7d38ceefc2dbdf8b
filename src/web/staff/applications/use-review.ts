import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { toast } from '../../ui/toast.ts';

/** Sends a decision. Afterwards, applications and members are loaded again, even if other staff decided first. */
function useReview<Input>(send: (input: Input) => Promise<unknown>, success: string, failure: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      toast.success(success);
    },
    onError: (error) => {
      logFailure(failure, error);
      toast.error(failure, { description: serverMessage(error) ?? undefined });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: orpc.applications.key() }),
        queries.invalidateQueries({ queryKey: orpc.members.key() }),
      ]),
  });
}

export function useApproval() {
  return useReview(
    api.applications.approve,
    'Application approved and membership created',
    'Failed to approve application',
  );
}

export function useRejection() {
  return useReview(api.applications.reject, 'Application rejected', 'Failed to reject application');
}
