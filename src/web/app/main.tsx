import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { watchInstall } from '../api/device/install.ts';
import { startTheme } from '../ui/theme.ts';
import { PENDING_MS, startRouter } from './router.ts';
import '../styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

startTheme();
watchInstall();
void start(root);

/** In steps with a pause after each, so that a slow phone stays responsive. */
async function start(element: HTMLElement): Promise<void> {
  await wait(0);
  const router = startRouter();
  await wait(0);
  // Rendered once with the whole page, not first without it; but if its files arrive slowly, the router's own
  // spinner shows, unless the document brought something better to look at.
  const loaded = router.load().catch(console.error);
  await (element.firstElementChild ? loaded : Promise.race([loaded, wait(PENDING_MS)]));
  // A transition is rendered in slices.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}
