import type { AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { webAppOf } from '../../contract/site.ts';
import { buildStore, writesInFlight } from '../api/build.ts';
import { tabStorage } from '../api/local-storage.ts';
import { site } from '../api/site.ts';
import { toast } from '../ui/toast.ts';

/** Pages without typed or scanned input, on which a reload costs only a moment. */
const RESTING = ['/dashboard', '/staff/dashboard'];
const TRIED = 'reloaded-for-build';

/** Offers to reload when the server has another build; a dashboard reloads unasked, but never during a write. */
export function useNewBuild(router: AnyRouter): void {
  useEffect(() => {
    let offered: string | null = null;
    const offer = () => {
      const build = buildStore.other();
      if (build === null || build === offered) return;
      offered = build;
      // The same web app, with settings that staff have changed since.
      const isClub = webAppOf(build) === webAppOf(site.build);
      toast.info(isClub ? 'The club’s settings have changed.' : 'A new version is ready.', {
        action: { label: 'Reload', onClick: reloadWhenAnswered },
        duration: Number.POSITIVE_INFINITY,
      });
    };
    offer();
    const unsubscribe = buildStore.subscribe(offer);
    const unfollow = router.subscribe('onResolved', ({ pathChanged, toLocation }) => {
      const build = buildStore.other();
      const resting = pathChanged && RESTING.includes(toLocation.pathname) && writesInFlight.get() === 0;
      if (build !== null && resting && isFirstTry(build)) window.location.reload();
    });
    return () => {
      unsubscribe();
      unfollow();
    };
  }, [router]);
}

/** Waits for the response to a pour that was just tapped. */
function reloadWhenAnswered(): void {
  if (writesInFlight.get() === 0) {
    window.location.reload();
    return;
  }
  const unsubscribe = writesInFlight.subscribe(() => {
    if (writesInFlight.get() > 0) return;
    unsubscribe();
    window.location.reload();
  });
}

/** Allows one reload for each build: an old page from a cache or another server would otherwise reload forever. */
const isFirstTry = (build: string) => tabStorage.read(TRIED) !== build && tabStorage.write(TRIED, build);
