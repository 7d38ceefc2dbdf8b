import { RouterProvider } from '@tanstack/react-router';
import { createRoot, type Root } from 'react-dom/client';
import { focusNextPageTitle } from '../ui/page-title.ts';
import { toast } from '../ui/toast.ts';
import { renderPage } from './render-page.tsx';
import { PENDING_MS, startRouter } from './router.ts';

type Router = ReturnType<typeof startRouter>;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts the app in steps with a pause after each, so that a slow phone stays responsive. */
export async function startApp(element: HTMLElement): Promise<void> {
  await wait(0);
  const router = startRouter();
  await wait(0);
  // Rendered once with the whole page, not first without it; but if its files arrive slowly, the router's own
  // spinner shows, unless the document brought something better to look at.
  const loaded = router.load().catch(console.error);
  await (element.firstElementChild ? loaded : Promise.race([loaded, wait(PENDING_MS)]));
  renderPage(createRoot(element), <RouterProvider router={router} />);
}

let opened: Router | null = null;

/**
 * Opens a page of the app in place of one that was shown without the router, and which stays until then. If it is left
 * for yet another page meanwhile, that one opens.
 */
export async function openApp(root: Root, href: string, { replace = false } = {}): Promise<void> {
  const isFirst = opened === null;
  opened ??= startRouter();
  const router = opened;
  router.history[replace ? 'replace' : 'push'](href);
  await router.load();
  if (!isFirst) return;
  const stop = router.subscribe('onRendered', () => {
    stop();
    focusNextPageTitle();
    toast.leavePage();
  });
  renderPage(root, <RouterProvider router={router} />);
}
