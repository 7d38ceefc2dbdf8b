import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useMatchRoute, useRouteContext } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { api } from '../api/client.ts';
import { registerForStaff } from '../api/device/register-service-worker.ts';
import { inTime } from '../api/in-time.ts';
import { QueryProvider } from '../api/query-provider.tsx';
import { noteServerTime } from '../api/server-clock.ts';
import type { SessionUser } from '../api/session.ts';
import { PageSpinner } from '../ui/spinner.tsx';
import { toast } from '../ui/toast.ts';
import { useOfficeWindow } from '../ui/use-media.ts';
import { playFeedback, readySound } from './feedback/feedback.ts';
import { QueueNotice } from './offline-queue/queue-notice.tsx';
import { isUse } from './offline-queue/queued-pour.ts';
import { startSyncLoop } from './offline-queue/sync-loop.ts';
import { refreshMembers } from './refresh-members.ts';
import { ScannedCodes } from './scanner/scanned-codes.tsx';
import { StaffNav } from './shell/staff-nav.tsx';
import { TabletBar } from './tablet/tablet-bar.tsx';

// Loaded separately, because it is rarely needed.
const OfflineBarPage = lazy(async () => ({
  default: (await import('./offline/offline-bar-page.tsx')).OfflineBarPage,
}));

/** Without a server a pour can still be queued on this device; every other page would be empty. */
export default function StaffLayout() {
  const { user, offline } = useRouteContext({ from: '/_staff' });
  const matches = useMatchRoute();
  const office = useOfficeWindow();
  useEffect(registerForStaff, []);
  useEffect(readySound, []);
  // Until they have set up two-step sign-in, staff can open one page; without a server, only the pour page.
  const hasNav = !user.must_enrol && !offline && !user.tablet;
  const isEmpty = offline && !matches({ to: '/staff/customers/$id/add-pour' });
  return (
    <QueryProvider>
      {user.tablet && <TabletBar user={user} tablet={user.tablet} />}
      {isEmpty ? (
        <Suspense fallback={<PageSpinner />}>
          <OfflineBarPage user={user} />
        </Suspense>
      ) : (
        <div className={office && hasNav ? 'side-shell' : undefined}>
          {hasNav && <StaffNav office={office} user={user} />}
          <div className="nav-page">
            <Outlet />
            <QueueNotice user={user} />
          </div>
        </div>
      )}
      <QueueSync staffId={user.id} />
      {!user.must_enrol && !matches({ to: '/staff/search' }) && <ScannedCodes />}
    </QueryProvider>
  );
}

/** Asks the server, not the cached session: another user may have signed in, in another tab. */
async function currentUserId(): Promise<string | null> {
  const response = await fetch('/api/session', { credentials: 'same-origin', ...inTime() });
  if (!response.ok) throw new Error(`session ${response.status}`);
  noteServerTime(response.headers.get('date'));
  const { user } = (await response.json()) as { user: SessionUser | null };
  return user?.id ?? null;
}

function QueueSync({ staffId }: { staffId: string }) {
  const queries = useQueryClient();
  useEffect(
    () =>
      startSyncLoop(staffId, {
        currentUserId,
        voidPour: (id) =>
          api.pours.void({ id, reason: 'Undone offline, before the server answered' }, inTime()),
        voidUse: (id) =>
          api.benefits.void({ id, reason: 'Undone offline, before the server answered' }, inTime()),
        onSent: (entry) => {
          const { member: description, request_id: act } = entry;
          toast.success(isUse(entry) ? `${entry.words}: taken` : 'Pour recorded successfully!', {
            description,
            act,
          });
          refreshMembers(queries);
        },
        onRefused: ({ member, request_id }, reason) => {
          playFeedback('refused');
          toast.error(`Not recorded: ${member}`, { description: reason, act: request_id });
          refreshMembers(queries);
        },
        onPaid: ({ member, payment }) => {
          toast.success('Payment recorded', { description: member, act: payment.request_id });
          refreshMembers(queries);
        },
        onUnpaid: ({ member, payment }, reason) => {
          playFeedback('refused');
          toast.error(`Payment not recorded: ${member}`, { description: reason, act: payment.request_id });
          refreshMembers(queries);
        },
      }),
    [staffId, queries],
  );
  return null;
}
