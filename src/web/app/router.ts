import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { FailedPage } from '../ui/failed-page.tsx';
import { PageSpinner } from '../ui/spinner.tsx';
import { routeTree } from './routes.ts';

/** Milliseconds without the page's files after which a spinner shows. */
export const PENDING_MS = 300;

export const startRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPendingMs: PENDING_MS,
    defaultPendingComponent: PageSpinner,
    // Part of the first bundle, unlike the 404 page: shown when a chunk cannot be loaded.
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: lazyRouteComponent(() => import('../ui/not-found-page.tsx'), 'NotFoundPage'),
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof startRouter>;
  }
}
