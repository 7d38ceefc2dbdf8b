import { createRootRoute, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PageFrame } from '../app/page-frame.tsx';
import { useNewBuild } from '../app/use-new-build.ts';
import { focusNextPageTitle } from '../ui/page-title.ts';
import { toast } from '../ui/toast.ts';

export const Route = createRootRoute({ component: Root });

function Root() {
  const router = useRouter();
  useNewBuild(router);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        if (!fromLocation || fromLocation.pathname === toLocation.pathname) return;
        focusNextPageTitle();
        // A redirect replaces the history entry: the user has not seen that page yet.
        if (fromLocation.state.__TSR_index !== toLocation.state.__TSR_index) toast.leavePage();
      }),
    [router],
  );
  return (
    <PageFrame>
      <Outlet />
    </PageFrame>
  );
}
