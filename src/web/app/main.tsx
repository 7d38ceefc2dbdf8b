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

/** In steps with a pause after each, in which a slow phone can do something else. */
async function start(element: HTMLElement): Promise<void> {
  await wait(0);
  const router = startRouter();
  await wait(0);
  // Drawn once with all of the page, and not first without it; but where its files are slow to arrive, the router's own
  // spinner says so.
  await Promise.race([router.load().catch(console.error), wait(PENDING_MS)]);
  // A transition is drawn in slices.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
}
