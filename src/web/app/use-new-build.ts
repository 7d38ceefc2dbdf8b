import type { AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buildStore } from '../api/build.ts';
import { toast } from '../ui/toast.ts';

/** Where nobody has typed or scanned anything yet, and a reload costs a moment and nothing else. */
const RESTING = ['/dashboard', '/staff/dashboard'];
const TRIED = 'reloaded-for-build';

/** Replaced in tests. */
export const page = { reload: () => window.location.reload() };

/**
 * When the server hands out another build of the web app than this page belongs to: a quiet line offers to reload, and
 * who comes back to a dashboard gets the new one without being asked. Never while a write is unanswered. Pours that wait
 * without a network are in the device's storage, so a reload keeps them.
 */
export function useNewBuild(router: AnyRouter): void {
  useEffect(() => {
    let offered: string | null = null;
    const offer = () => {
      const build = buildStore.other();
      if (build === null || build === offered) return;
      offered = build;
      toast.info('A new version is ready.', {
        action: { label: 'Reload', onClick: reloadWhenAnswered },
        duration: Number.POSITIVE_INFINITY,
      });
    };
    const arrive = ({
      pathChanged,
      toLocation,
    }: {
      pathChanged: boolean;
      toLocation: { pathname: string };
    }) => {
      const build = buildStore.other();
      const resting = pathChanged && RESTING.includes(toLocation.pathname);
      if (build !== null && resting && !buildStore.isWriting() && isFirstTry(build)) page.reload();
    };
    offer();
    const unsubscribe = buildStore.subscribe(offer);
    const unfollow = router.subscribe('onResolved', arrive);
    return () => {
      unsubscribe();
      unfollow();
    };
  }, [router]);
}

/** The pour that was just tapped is answered first. */
function reloadWhenAnswered(): void {
  if (!buildStore.isWriting()) {
    page.reload();
    return;
  }
  const unsubscribe = buildStore.subscribe(() => {
    if (buildStore.isWriting()) return;
    unsubscribe();
    page.reload();
  });
}

/** Once for each build: where an old page comes back, from a cache or another server, nobody is sent in circles. */
function isFirstTry(build: string): boolean {
  try {
    if (sessionStorage.getItem(TRIED) === build) return false;
    sessionStorage.setItem(TRIED, build);
    return true;
  } catch {
    return false;
  }
}
