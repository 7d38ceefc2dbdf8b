import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';

/** Has the size of the full dashboard, which most users are waiting for. */
export function DashboardSkeleton() {
  return (
    <div role="status" className="grid items-start gap-5 sm:gap-6 md:grid-cols-2">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Skeleton className="aspect-[1.586] w-full rounded-xl" />
      <Card title="Pours Remaining">
        <PoursSkeleton />
      </Card>
    </div>
  );
}

function PoursSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-15 w-28" />
      <Skeleton className="h-10 w-3/5" />
      <Skeleton className="h-2 w-full" />
      <Skeleton className="h-5 w-2/5" />
    </div>
  );
}
