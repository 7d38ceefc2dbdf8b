import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { KeptCard } from '../api/offline-card.ts';
import { AppData } from '../api/query-provider.tsx';
import { PageSpinner } from '../ui/spinner.tsx';
import { useCardKeeping } from './card/use-offline-card.ts';
import { useLiveChanges } from './realtime/use-live-changes.ts';
import { registerServiceWorker } from './register-service-worker.ts';

// Brings the drawing of codes with it.
const AwayScreen = lazy(async () => ({ default: (await import('./card/offline-page.tsx')).AwayScreen }));

interface MemberLayoutProps {
  /** The card kept on this device, while the server cannot be asked who this is. */
  away: KeptCard | null;
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
    <AppData>
      <Background />
      <Outlet />
    </AppData>
  );
}

/** What goes on behind every member page. */
function Background() {
  useLiveChanges();
  useCardKeeping();
  return null;
}
