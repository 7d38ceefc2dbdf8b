import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { routeTree } from '../routeTree.gen.ts';
import { FailedPage } from '../ui/failed-page.tsx';
import { PageSpinner } from '../ui/spinner.tsx';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: PageSpinner,
  // In the entry, unlike the 404 page: it is what shows when a file can no longer be fetched.
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: lazyRouteComponent(() => import('../ui/not-found-page.tsx'), 'NotFoundPage'),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
