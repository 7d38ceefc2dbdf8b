import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { watchInstall } from '../api/device/install.ts';
import { startTheme } from '../ui/theme.ts';
import { PENDING_MS, router } from './router.ts';
import '../styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

startTheme();
watchInstall();

const app = createRoot(root);
// A transition is drawn in slices, between which a slow phone can do something else.
const draw = () =>
  startTransition(() =>
    app.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
// Drawn once with all of the page, and not first without it; but where its files are slow to arrive, the router's own
// spinner says so.
const late = new Promise((resolve) => setTimeout(resolve, PENDING_MS));
void Promise.race([router.load().catch(console.error), late]).then(draw);
