import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { renewPush } from '../api/device/push.ts';
import type { OfflineCard } from '../api/offline-card.ts';
import { QueryProvider } from '../api/query-provider.tsx';
import { PageSpinner } from '../ui/spinner.tsx';
import { useOfflineCard } from './card/use-offline-card.ts';
import { MemberNav } from './member-nav.tsx';
import { NoRolePage } from './no-role-page.tsx';
import { useLiveChanges } from './realtime/use-live-changes.ts';

// Loaded separately: it includes the code that draws QR codes.
const OfflinePage = lazy(async () => ({ default: (await import('./card/offline-page.tsx')).OfflinePage }));

interface MemberLayoutProps {
  /** The card saved on this device, if the server cannot be reached. */
  offlineCard: OfflineCard | null;
  /** Null for an account without a role. */
  memberId: string | null;
}

export function MemberLayout({ offlineCard, memberId }: MemberLayoutProps) {
  if (offlineCard) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <OfflinePage card={offlineCard} />
      </Suspense>
    );
  }
  if (!memberId) return <NoRolePage />;
  return (
    <QueryProvider memberId={memberId}>
      <Background />
      <MemberNav />
      <div className="nav-page">
        <Outlet />
      </div>
    </QueryProvider>
  );
}

function Background() {
  useLiveChanges();
  useOfflineCard();
  useEffect(() => void renewPush(), []);
  return null;
}
