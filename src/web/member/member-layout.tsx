import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { OfflineCard } from '../api/offline-card.ts';
import { QueryProvider } from '../api/query-provider.tsx';
import { PageSpinner } from '../ui/spinner.tsx';
import { useOfflineCard } from './card/use-offline-card.ts';
import { useLiveChanges } from './realtime/use-live-changes.ts';
import { registerServiceWorker } from './register-service-worker.ts';

// Brings the drawing of codes with it.
const AwayScreen = lazy(async () => ({ default: (await import('./card/offline-page.tsx')).OfflinePage }));

interface MemberLayoutProps {
  /** The card kept on this device, while the server cannot be asked who this is. */
  away: OfflineCard | null;
}

export function MemberLayout({ away }: MemberLayoutProps) {
  useEffect(registerServiceWorker, []);
  if (away) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <AwayScreen card={away} />
      </Suspense>
    );
  }
  return (
    <QueryProvider>
      <Background />
      <Outlet />
    </QueryProvider>
  );
}

/** What goes on behind every member page. */
function Background() {
  useLiveChanges();
  useOfflineCard();
  return null;
}
