import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, orpc } from '../../api/client.ts';
import type { SessionUser } from '../../session.ts';
import { toast } from '../../ui/toast.ts';
import { AppData } from '../app-data.tsx';
import { signal } from '../signals/signal.ts';
import { keepSending } from './waiting/keep-sending.ts';
import { QueueNotice } from './waiting/queue-notice.tsx';

export function StaffLayout({ user }: { user: SessionUser }) {
  return (
    <AppData>
      <Outlet />
      <QueueNotice user={user} />
      <QueueSender staffId={user.id} />
    </AppData>
  );
}

/** Past what this page remembers: another tab may have changed who is signed in. */
async function signedIn(): Promise<string | null> {
  const response = await fetch('/api/session', { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`session ${response.status}`);
  const { user } = (await response.json()) as { user: SessionUser | null };
  return user?.id ?? null;
}

function QueueSender({ staffId }: { staffId: string }) {
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = () => {
      void queries.invalidateQueries({ queryKey: orpc.members.key() });
      void queries.invalidateQueries({ queryKey: orpc.pours.key() });
    };
    return keepSending(staffId, {
      signedIn,
      takeBack: (id) => api.pours.void({ id, reason: 'Undone on the device before an answer came' }),
      onSent: ({ member }, balance) => {
        toast.success('Pour recorded successfully!', { description: `${member}, ${balance} left` });
        refresh();
      },
      onRefused: ({ member }, why) => {
        signal('refused');
        toast.error(`Not recorded: ${member}`, { description: why });
        refresh();
      },
    });
  }, [staffId, queries]);
  return null;
}
