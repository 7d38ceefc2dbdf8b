import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { DemoBanner } from '../brand/demo-banner.tsx';
import { OfflineNotice } from '../ui/offline-notice.tsx';
import { focusNextPageTitle } from '../ui/page-title.ts';
import { toast } from '../ui/toast.ts';
import { ToastRegion } from '../ui/toast-region.tsx';
import { useNewBuild } from './use-new-build.ts';

// Only a demo needs it.
const StartOver = lazy(async () => ({
  default: (await import('../brand/start-over.tsx')).StartOver,
}));

export function Root() {
  const router = useRouter();
  useNewBuild(router);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (!fromLocation || fromLocation.pathname === toLocation.pathname) return;
        focusNextPageTitle();
        // A redirect replaces the history entry: the user has not read that page.
        toast.leavePage(fromLocation.state.__TSR_index === toLocation.state.__TSR_index);
      }),
    [router],
  );
  return (
    <>
      <SkipLink />
      <DemoBanner>
        <Suspense fallback={<span className="invisible">Start Over</span>}>
          <StartOver />
        </Suspense>
      </DemoBanner>
      <OfflineNotice />
      <Outlet />
      <ToastRegion />
    </>
  );
}

function SkipLink() {
  return (
    <a
      href="#main"
      className="target sr-only rounded-md bg-accent px-5 font-semibold text-accent-ink focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:inline-flex focus:items-center"
    >
      Skip to content
    </a>
  );
}
