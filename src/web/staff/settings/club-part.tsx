import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import type { ClubField } from '../../../domain/club/club-settings.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

interface ClubPartProps {
  title?: string;
  children: (view: ClubSettingsView) => ReactNode;
}

export function ClubPart({ title, children }: ClubPartProps) {
  const query = useQuery(orpc.club.getSettings.queryOptions());
  return (
    <Loaded query={query} failed="We couldn’t load the club’s settings" card={title ?? true} lines={5}>
      {children}
    </Loaded>
  );
}

type Changes = NonNullable<Parameters<typeof api.club.updateSettings>[0]['changes']>;

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
