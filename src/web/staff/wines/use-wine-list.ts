import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { orpc } from '../../api/client.ts';
import { failureToast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** Other tablets change the list too. */
const REFRESH_MS = 30_000;

/** Runs a change of the list; resolves to whether it succeeded. `failure` is the error message otherwise. */
export type Act = (failure: string, change: () => Promise<StaffWine | StaffWine[]>) => Promise<boolean>;

export function useWineList() {
  const client = useQueryClient();
  const options = orpc.wines.list.queryOptions();
  const query = useQuery({ ...options, refetchInterval: REFRESH_MS });
  const { busy, send } = useSend();

  const show = (answer: StaffWine | StaffWine[]) => {
    client.setQueryData(options.queryKey, (had: StaffWine[] | undefined) => {
      if (Array.isArray(answer)) return answer;
      const others = had ?? [];
      return others.some(({ id }) => id === answer.id)
        ? others.map((it) => (it.id === answer.id ? answer : it))
        : [...others, answer];
    });
    void client.invalidateQueries({ queryKey: orpc.wines.listOpen.key() });
  };
  const act: Act = (failure, change) =>
    send(
      async () => show(await change()),
      (error) => {
        failureToast(failure)(error);
        void query.refetch();
      },
    );
  return { query, busy, act, show };
}
