import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, orpc } from '../api/client.ts';
import { QueryProvider } from '../api/query-provider.tsx';
import type { SessionUser } from '../api/session.ts';
import { toast } from '../ui/toast.ts';
import { playFeedback } from './feedback/feedback.ts';
import { QueueNotice } from './offline-queue/queue-notice.tsx';
import { startSyncLoop } from './offline-queue/sync-loop.ts';

export function StaffLayout({ user }: { user: SessionUser }) {
  return (
    <QueryProvider>
      <Outlet />
      <QueueNotice user={user} />
      <QueueSender staffId={user.id} />
    </QueryProvider>
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
    return startSyncLoop(staffId, {
      signedIn,
      takeBack: (id) => api.pours.void({ id, reason: 'Undone on the device before an answer came' }),
      onSent: ({ member }, balance) => {
        toast.success('Pour recorded successfully!', { description: `${member}, ${balance} left` });
        refresh();
      },
      onRefused: ({ member }, why) => {
        playFeedback('refused');
        toast.error(`Not recorded: ${member}`, { description: why });
        refresh();
      },
    });
  }, [staffId, queries]);
  return null;
}
