import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { serverMessage } from '../api/client.ts';
import { toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';

/** Sends one act at a time: a toast says why one failed, or `failure`, and `reload` is loaded again after either outcome. */
export function useAct(failure: string, reload: QueryKey) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const act = (work: () => unknown): Promise<boolean> =>
    send(
      work,
      (error) => toast.error(serverMessage(error) ?? failure, { of: error }),
      () => client.invalidateQueries({ queryKey: reload }),
    );
  return { busy, act };
}
