import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The customer page while loading, with the same parts in the same places. */
export function CustomerSkeleton({ back }: { back: ReactNode }) {
  return (
    <PageShell
      title="Customer"
      heading={<Line className="h-10 w-56" />}
      lead={<Line className="h-6 w-64" />}
      back={back}
      width="wide"
    >
      <div role="status" className="grid gap-5 lg:grid-cols-2">
        <span className="sr-only">Loading</span>
        <Skeleton className="h-20" />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
          <Skeleton className="col-span-2 h-28 sm:col-span-1" />
        </div>
        <Skeleton className="h-32" />
        <Skeleton className="h-56" />
      </div>
    </PageShell>
  );
}

/** A <span>, because a <div> is not allowed inside a heading or paragraph. */
function Line({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block max-w-full animate-breathe rounded-md bg-surface-sunken', className)}
    />
  );
}
