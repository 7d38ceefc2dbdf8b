import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import type { ClubField } from '../../../domain/club/club-settings.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { toast } from '../../ui/toast.ts';

/** The club's settings, which the cards of the page share. */
export const useClub = () => useQuery(orpc.club.getSettings.queryOptions());

type Changes = NonNullable<Parameters<typeof api.club.updateSettings>[0]['changes']>;

/** Saves some settings, or resets some, with the version that is shown. `problem` is why the last try failed. */
export function useSaveClub({ version }: Pick<ClubSettingsView, 'version'>) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { queryKey } = orpc.club.getSettings.queryOptions();

  const send = async (change: { changes?: Changes; reset?: ClubField[] }, done: string): Promise<boolean> => {
    setProblem(null);
    setBusy(true);
    try {
      client.setQueryData(queryKey, await api.club.updateSettings({ version, ...change }));
      toast.success(done);
      return true;
    } catch (error) {
      // Untouched fields then show what the other saved.
      if (refusalOf(error, 'SETTINGS_CHANGED')) await client.invalidateQueries({ queryKey });
      const refused = refusalOf(error, 'SETTING_REFUSED');
      setProblem(refused?.data.why ?? serverMessage(error) ?? 'Nothing was saved. Please try again.');
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { send, busy, problem, clearProblem: () => setProblem(null) };
}
