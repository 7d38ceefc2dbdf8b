import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import { orpc } from '../../api/client.ts';
import { toast } from '../../ui/toast.ts';
import { tierProblem } from './tier-problem.ts';

/** The venue's tiers, with functions to apply the list that every change returns. */
export function useTierSettings() {
  const client = useQueryClient();
  const options = orpc.tierSettings.list.queryOptions();
  const query = useQuery(options);
  /** Shows the current tiers; other pages reload theirs. */
  const show = (tiers: TierSetting[]) => {
    client.setQueryData(options.queryKey, tiers);
    void client.invalidateQueries({ queryKey: orpc.tiers.key() });
  };
  /** Makes the change, shows the result, and reports a refusal. */
  const change = async (work: () => Promise<TierSetting[]>, done: string): Promise<void> => {
    try {
      show(await work());
      toast.success(done);
    } catch (error) {
      toast.error(tierProblem(error).text, { of: error });
      void query.refetch();
    }
  };
  return { query, show, change };
}
