import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { KeptCard } from '../kept-card.ts';
import { registerServiceWorker } from '../service-worker-registration.ts';
import { PageSpinner } from '../ui/spinner.tsx';
import { AppData } from './app-data.tsx';
import { useCardKeeping } from './card/use-card-keeping.ts';
import { useLiveChanges } from './live/use-live-changes.ts';

// Brings the drawing of codes with it.
const AwayScreen = lazy(async () => ({ default: (await import('./card/away-screen.tsx')).AwayScreen }));

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
