import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from './button.tsx';
import { TippedGlassPicture } from './illustrations.tsx';
import { AnchorButton } from './link-button.tsx';
import { usePageTitle } from './page-title.ts';
import { adviceOn, Reference } from './reference.tsx';

// After a release, an open page may request a chunk that no longer exists: only a reload helps.
function isMissingFile(error: unknown) {
  return error instanceof Error && /dynamically imported module|module script failed/i.test(error.message);
}

export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const heading = usePageTitle('Something went wrong');
  useEffect(() => {
    console.error(error);
  }, [error]);
  const retry = () => {
    if (isMissingFile(error)) return window.location.reload();
    reset();
    return router.invalidate();
  };
  return (
    <main id="main" tabIndex={-1} className="grid min-h-[80dvh] place-items-center p-6">
      <div className="flex max-w-narrow flex-col items-center gap-4 text-center">
        <TippedGlassPicture className="mb-2" />
        <h1 ref={heading} tabIndex={-1} className="text-3xl">
          Something went wrong
        </h1>
        <p className="text-ink-muted">We couldn’t load this page. {adviceOn(error)}</p>
        <div className="mt-3 flex flex-wrap justify-center gap-3">
          <Button onClick={retry}>Try Again</Button>
          <AnchorButton href="/" variant="secondary">
            Return to Home
          </AnchorButton>
        </div>
        <Reference of={error} className="mt-2" />
      </div>
    </main>
  );
}
