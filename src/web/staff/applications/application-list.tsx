import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LetterPicture, TippedGlassPicture } from '../../ui/illustrations.tsx';
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ApplicationCard } from './application-card.tsx';

type Page = Awaited<ReturnType<typeof api.applications.list>>;

interface ApplicationListProps {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
}

export function ApplicationList({ query }: ApplicationListProps) {
  const { data, isPlaceholderData: outdated } = query;
  if (!data) {
    return (
      <Card className="grid min-h-72 place-items-center">
        {query.isError && !query.isFetching ? (
          // A toast shows the error.
          <div className="flex flex-col items-center gap-4">
            <TippedGlassPicture />
            <Button variant="secondary" onClick={() => query.refetch()}>
              Try Again
            </Button>
          </div>
        ) : (
          <Spinner label="Loading applications..." showLabel size="lg" delayed={false} />
        )}
      </Card>
    );
  }
  const applications = data.pages.flatMap((page) => page.applications);
  if (applications.length === 0) {
    return (
      <Card className={classNames('min-h-72', outdated && 'opacity-60')}>
        <EmptyState picture={<LetterPicture />} title="No applications found" />
      </Card>
    );
  }
  return (
    <div>
      <ul aria-busy={outdated} className={classNames('grid gap-3', outdated && 'opacity-60')}>
        {applications.map((application) => (
          <ApplicationCard key={application.id} application={application} />
        ))}
      </ul>
      <InfiniteScroll
        hasMore={query.hasNextPage && !outdated}
        loading={query.isFetchingNextPage}
        onReach={query.fetchNextPage}
      />
    </div>
  );
}
