import { Skeleton } from '../../ui/skeleton.tsx';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** As high as five members, so that nothing moves when they arrive. */
export function CustomerListSkeleton() {
  return (
    <div role="status" className="relative divide-y divide-line">
      {ROWS.map((row) => (
        <div key={row} className="flex min-h-18 items-center gap-3 px-5 py-3 sm:px-7">
          <div className="flex-1 space-y-2">
            <Skeleton className="h-5 w-40 max-w-full" />
            <Skeleton className="h-4 w-56 max-w-full" />
          </div>
          <Skeleton className="h-6 w-16" />
        </div>
      ))}
      <p className="absolute inset-x-0 top-1/2 -translate-y-1/2 border-0 text-center font-medium text-ink-muted">
        Loading
      </p>
    </div>
  );
}
