import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { routeTree } from '../routeTree.gen.ts';
import { FailedPage } from '../ui/failed-page.tsx';
import { PageSpinner } from '../ui/spinner.tsx';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: PageSpinner,
  // Part of the first bundle, unlike the 404 page: it shows when a chunk cannot be loaded.
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: lazyRouteComponent(() => import('../ui/not-found-page.tsx'), 'NotFoundPage'),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
