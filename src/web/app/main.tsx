import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { watchInstall } from '../api/device/install.ts';
import { startTheme } from '../ui/theme.ts';
import { PENDING_MS, startRouter } from './router.ts';
import '../styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

startTheme();
watchInstall();
void start(root);

/** Renders once with the whole page; if that is slow, with the router's spinner, unless the document has content. */
async function start(element: HTMLElement): Promise<void> {
  // A task of its own, so that a slow phone can answer a tap between reading the scripts and starting the router.
  await new Promise((next) => setTimeout(next));
  const router = startRouter();
  const loaded = router.load().catch(console.error);
  const late = new Promise((resolve) => setTimeout(resolve, PENDING_MS));
  await (element.firstElementChild ? loaded : Promise.race([loaded, late]));
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
  // React yields to the browser while it renders a transition.
  startTransition(() => createRoot(element).render(app));
}
