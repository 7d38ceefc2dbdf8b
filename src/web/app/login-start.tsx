import { createRoot } from 'react-dom/client';
import { readTablet } from '../api/device/tablet.ts';
import { currentUser } from '../api/session.ts';
import type { OpenPage } from '../ui/page-link.tsx';
import { readRedirect, visitorHref } from '../visitor/landing.ts';
import { LoginPage } from '../visitor/login-page.tsx';
import { readReturn } from '../visitor/oauth-return.ts';
import { PageFrame } from './page-frame.tsx';
import { renderPage } from './render-page.tsx';

const loadApp = () => import('./app-start.tsx');

/**
 * Shows the sign-in page without the router, which is a fifth of what this page would load. The rest of the app is loaded
 * once the visitor touches the form, and takes over when they leave the page.
 */
export async function startLogin(element: HTMLElement): Promise<void> {
  // If the server cannot say, show the form rather than an error.
  const user = await currentUser().catch(() => null);
  if (user || readTablet()) {
    // The router sends them to their own page, or to the tablet's.
    await (await loadApp()).startApp(element);
    return;
  }
  const { redirect, problem } = readAddress();
  const root = createRoot(element, {
    onUncaughtError: (error) => {
      console.error(error);
      void open(window.location.pathname + window.location.search, { replace: true });
    },
  });
  const open: OpenPage = async (href, { replace = false } = {}) => {
    try {
      const { openApp } = await loadApp();
      await openApp(root, href, { replace });
    } catch (error) {
      // After a release, its files can be gone: a new document names others.
      console.warn('Reloading, because the app could not be opened:', error);
      window.location[replace ? 'replace' : 'assign'](href);
    }
  };
  const loadEarly = () => void loadApp().catch(() => undefined);
  for (const event of ['focusin', 'pointerdown']) {
    element.addEventListener(event, loadEarly, { once: true });
  }
  renderPage(
    root,
    <PageFrame>
      <LoginPage redirect={redirect} problem={problem} open={open} />
    </PageFrame>,
  );
}

/** What the address says; that of a page for members or staff becomes the one that their guard would redirect to. */
function readAddress(): { redirect?: string; problem?: string } {
  const { pathname, search, hash } = window.location;
  const asked = Object.fromEntries(new URLSearchParams(search));
  if (/^\/login\/?$/.test(pathname)) return { ...readRedirect(asked), ...readReturn(asked) };
  const redirect = pathname === '/' ? undefined : pathname + search + hash;
  window.history.replaceState(window.history.state, '', visitorHref('/login', redirect));
  return { redirect };
}
