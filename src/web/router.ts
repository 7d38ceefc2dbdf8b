import { createRouter } from '@tanstack/react-router';
import { routeTree } from './routeTree.gen.ts';
import { FailedPage } from './ui/failed-page.tsx';
import { NotFoundPage } from './ui/not-found-page.tsx';
import { PageSpinner } from './ui/spinner.tsx';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: PageSpinner,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
