import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx';
import { RetryList } from '../../ui/retry-list.tsx';
import { CustomerListSkeleton } from './customer-list-skeleton.tsx';
import { CustomerRow } from './customer-row.tsx';

interface MemberListProps {
  search: string;
  /** More has been typed than what is listed. */
  stale: boolean;
}

export function CustomerList({ search, stale }: MemberListProps) {
  const query = useInfiniteQuery({
    ...orpc.members.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ search, cursor }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.next_cursor ?? undefined,
    }),
    placeholderData: keepPreviousData,
  });
  const old = stale || query.isPlaceholderData;

  if (query.isPending) return <CustomerListSkeleton />;
  if (query.isError && !query.data) {
    return (
      <RetryList
        what="Members could not be loaded"
        error={query.error}
        busy={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  const members = query.data.pages.flatMap((page) => page.members);
  if (members.length === 0) {
    return (
      <EmptyState picture={<GuestListPicture />} title={search ? 'No customers found' : 'No members yet'} />
    );
  }
  return (
    <>
      <ul aria-busy={old} className={classNames('divide-y divide-line', old && 'opacity-60')}>
        {members.map((member) => (
          <CustomerRow key={member.id} member={member} />
        ))}
      </ul>
      <InfiniteScroll
        hasMore={query.hasNextPage && !old}
        loading={query.isFetchingNextPage}
        onReach={() => query.fetchNextPage()}
      />
    </>
  );
}
