import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { api, orpc } from '../../api/client.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx';
import { RetryList } from '../../ui/retry-list.tsx';
import { CustomerListSkeleton } from './customer-list-skeleton.tsx';
import { CustomerRow } from './customer-row.tsx';

interface CustomerListProps {
  search: string;
  /** The typed text has changed since this list was requested. */
  stale: boolean;
}

export function CustomerList({ search, stale }: CustomerListProps) {
  const query = useInfiniteQuery({
    queryKey: [...orpc.members.key(), 'list or search', search],
    queryFn: ({ pageParam: cursor, signal }) =>
      search ? api.members.search({ search, cursor }, { signal }) : api.members.list({}, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  // Rendered in slices, so that a slow phone stays responsive.
  const shown = useDeferredValue(query.data);
  const outdated = stale || query.isPlaceholderData;

  if (!shown && !query.isError) return <CustomerListSkeleton />;
  if (!shown) {
    return (
      <RetryList
        action="Loading members"
        error={query.error}
        busy={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  const members = shown.pages.flatMap((page) => page.members);
  if (members.length === 0) {
    return (
      <EmptyState picture={<GuestListPicture />} title={search ? 'No customers found' : 'No members yet'} />
    );
  }
  return (
    <>
      <ul aria-busy={outdated} className={classNames('divide-y divide-line', outdated && 'opacity-60')}>
        {members.map((member) => (
          <CustomerRow key={member.id} member={member} />
        ))}
      </ul>
      <InfiniteScroll
        hasMore={query.hasNextPage && !outdated}
        loading={query.isFetchingNextPage}
        onReach={() => query.fetchNextPage()}
      />
    </>
  );
}
