import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import type { ClubField } from '../../../domain/club/club-settings.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

export const useClub = () => useQuery(orpc.club.getSettings.queryOptions());

type Changes = NonNullable<Parameters<typeof api.club.updateSettings>[0]['changes']>;

/** Saves some settings, or resets some, with the version that is shown. `failure` is why the last try failed. */
export function useSaveClub({ version }: Pick<ClubSettingsView, 'version'>) {
  const client = useQueryClient();
  const { busy, failure, fail, send } = useSend();
  const { queryKey } = orpc.club.getSettings.queryOptions();

  const save = (change: { changes?: Changes; reset?: ClubField[] }, done: string): Promise<boolean> =>
    send(
      async () => {
        client.setQueryData(queryKey, await api.club.updateSettings({ version, ...change }));
        toast.success(done);
      },
      async (error) => {
        // Untouched fields then show what the other saved.
        if (refusalOf(error, 'SETTINGS_CHANGED')) await client.invalidateQueries({ queryKey });
        const refused = refusalOf(error, 'SETTING_REFUSED');
        return refused?.data.why ?? serverMessage(error) ?? 'Nothing was saved. Please try again.';
      },
    );
  return { save, busy, failure, fail };
}
