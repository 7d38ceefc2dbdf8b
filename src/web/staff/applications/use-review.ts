import { useQueryClient } from '@tanstack/react-query';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

interface Review<Input> {
  /** For the log: 'Approving an application'. */
  action: string;
  review: (input: Input) => Promise<unknown>;
  successText: string;
  failureText: string;
}

/** Sends a review, and resolves to whether it was accepted. Afterwards applications and members are reloaded, even if other staff decided first. */
function useReview<Input>({ action, review, successText, failureText }: Review<Input>) {
  const queries = useQueryClient();
  const { send } = useSend();
  return (input: Input) =>
    send(
      async () => {
        await review(input);
        toast.success(successText);
      },
      (error) => {
        logFailure(action, error);
        toast.error(failureText, { description: serverMessage(error) ?? undefined, of: error });
      },
      () =>
        Promise.all([
          queries.invalidateQueries({ queryKey: orpc.applications.key() }),
          queries.invalidateQueries({ queryKey: orpc.members.key() }),
        ]),
    );
}

export function useApproval() {
  return useReview({
    action: 'Approving an application',
    review: api.applications.approve,
    successText: 'Application approved and membership created',
    failureText: 'Failed to approve application',
  });
}

export function useRejection() {
  return useReview({
    action: 'Rejecting an application',
    review: api.applications.reject,
    successText: 'Application rejected',
    failureText: 'Failed to reject application',
  });
}
