import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ListedApplication } from '../../../contract/applications.ts';
import { approvedTier } from '../../../domain/application.ts';
import type { api } from '../../api/client.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvelopePicture, TippedGlassPicture } from '../../ui/illustrations.tsx';
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { dateOfInstant } from '../venue-dates.ts';
import { ApplicationStatusBadge } from './application-status-badge.tsx';

type Page = Awaited<ReturnType<typeof api.applications.list>>;

export function ApplicationList({ query }: { query: UseInfiniteQueryResult<InfiniteData<Page>> }) {
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
        <EmptyState picture={<EnvelopePicture />} title="No applications found" />
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

function ApplicationCard({ application }: { application: ListedApplication }) {
  const { applicant, selected_tier, created_at, reviewed_at } = application;
  const name = `${applicant.first_name} ${applicant.last_name}`;
  return (
    <li>
      <Card className="flex flex-col gap-3">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="wrap-anywhere text-xl">{name}</h2>
            <p className="truncate text-ink-muted text-sm">{applicant.email}</p>
          </div>
          <div className="shrink-0 max-sm:[&>span]:flex-col max-sm:[&>span]:items-end">
            <ApplicationStatusBadge application={application} />
          </div>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted text-sm">
            <TierBadge tier={approvedTier(selected_tier)} />
            <span>Applied {dateOfInstant(created_at)}</span>
            {reviewed_at && <span>Reviewed {dateOfInstant(reviewed_at)}</span>}
          </div>
          <LinkButton
            to="/staff/applications/$id"
            params={{ id: application.id }}
            variant="secondary"
            className="max-sm:w-full"
          >
            View Details<span className="sr-only"> of {name}</span>
          </LinkButton>
        </div>
      </Card>
    </li>
  );
}
