import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { toast } from '../../ui/toast.ts';

interface Review<Input> {
  /** For the log: 'Approving an application'. */
  action: string;
  send: (input: Input) => Promise<unknown>;
  successText: string;
  failureText: string;
}

/** Sends a review. Afterwards applications and members are reloaded, even if other staff decided first. */
function useReview<Input>({ action, send, successText, failureText }: Review<Input>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      toast.success(successText);
    },
    onError: (error) => {
      logFailure(action, error);
      toast.error(failureText, { description: serverMessage(error) ?? undefined, of: error });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: orpc.applications.key() }),
        queries.invalidateQueries({ queryKey: orpc.members.key() }),
      ]),
  });
}

export function useApproval() {
  return useReview({
    action: 'Approving an application',
    send: api.applications.approve,
    successText: 'Application approved and membership created',
    failureText: 'Failed to approve application',
  });
}

export function useRejection() {
  return useReview({
    action: 'Rejecting an application',
    send: api.applications.reject,
    successText: 'Application rejected',
    failureText: 'Failed to reject application',
  });
}
