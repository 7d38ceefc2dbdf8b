import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LockedDoorPicture } from './illustrations.tsx';
import { LinkButton } from './link-button.tsx';
import { usePageTitle } from './page-title.ts';

export function NotFoundPage() {
  // Only when idle: during navigation this page still shows, but the location is already the next one.
  const path = useRouterState({
    select: ({ status, location }) => (status === 'idle' ? location.pathname : undefined),
  });
  const heading = usePageTitle('Page not found');
  useEffect(() => {
    if (path) console.error('Page not found:', path);
  }, [path]);
  return (
    <main id="main" tabIndex={-1} className="grid min-h-[80dvh] place-items-center p-6">
      <div className="flex max-w-narrow flex-col items-center gap-4 text-center">
        <LockedDoorPicture className="mb-2" />
        <p className="eyebrow text-brass-text">404</p>
        <h1 ref={heading} tabIndex={-1} className="text-3xl">
          Oops! Page not found
        </h1>
        <p className="text-ink-muted">The link may be out of date, or the address mistyped.</p>
        <LinkButton to="/" className="mt-3">
          Return to Home
        </LinkButton>
      </div>
    </main>
  );
}
