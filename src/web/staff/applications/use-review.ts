import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { toast } from '../../ui/toast.ts';

/** After a decision, or somebody else's that came first, everything shown of applications and members is old. */
function useDecision<Input>(send: (input: Input) => Promise<unknown>, success: string, failure: string) {
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
  return useDecision(
    api.applications.approve,
    'Application approved and membership created',
    'Failed to approve application',
  );
}

export function useRejection() {
  return useDecision(api.applications.reject, 'Application rejected', 'Failed to reject application');
}
