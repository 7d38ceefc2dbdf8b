import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useDeferredValue, useEffect } from 'react';
import type { MemberRow } from '../../../contract/members.ts';
import { api, orpc } from '../../api/client.ts';
import { inTime, isUnanswered } from '../../api/in-time.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useOnline } from '../../ui/offline-notice.tsx';
import { RetryList } from '../../ui/retry-list.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLogged } from '../../ui/use-logged.ts';
import { SeenMemberList } from '../offline/seen-member-list.tsx';
import { seenMembers } from '../offline/seen-members.ts';
import { useQueue } from '../offline-queue/use-queue.ts';
import { useSearchText } from '../use-search-text.ts';

export function CustomerSearch() {
  const { text, setText, typed, search } = useSearchText();
  const searching = typed !== '';
  // Between the first character and the first search there is nothing to show: recent members are not results.
  const settled = searching === (search !== '');

  return (
    <>
      <SearchField label="Search by name or email" text={text} onText={setText} />
      <Card title={searching ? 'Search Results' : 'Recent Members'} padding="plain">
        {settled ? (
          <CustomerList key={searching ? 'found' : 'recent'} search={search} stale={search !== typed} />
        ) : (
          <CustomerListSkeleton />
        )}
      </Card>
    </>
  );
}

/** `stale`: the typed text has changed since this list was requested. */
function CustomerList({ search, stale }: { search: string; stale: boolean }) {
  const query = useInfiniteQuery({
    queryKey: [...orpc.members.key(), 'list or search', search],
    queryFn: ({ pageParam: cursor, signal }) =>
      search ? api.members.search({ search, cursor }, inTime(signal)) : api.members.list({}, inTime(signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // The browser may be wrong that it is offline: the server is asked in any case.
    networkMode: 'always',
  });
  const online = useOnline();
  const { refetch } = query;
  useEffect(() => {
    if (!online) void refetch({ cancelRefetch: false });
  }, [online, refetch]);
  // Rendered in slices, so that a slow phone stays responsive.
  const data = useDeferredValue(query.data);
  const outdated = stale || query.isPlaceholderData;

  if (!online || (!query.data && isUnanswered(query.error))) {
    return <SeenMembers search={search} online={online} query={query} />;
  }
  if (!data && !query.isError) return <CustomerListSkeleton />;
  if (!data) {
    return (
      <RetryList
        action="Loading members"
        error={query.error}
        busy={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  const members = data.pages.flatMap((page) => page.members);
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

interface SeenMembersProps {
  search: string;
  /** False while the browser knows of no network: then the list comes back by itself. */
  online: boolean;
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** Stands for the server's list while the server cannot be reached. */
function SeenMembers({ search, online, query }: SeenMembersProps) {
  const queue = useQueue();
  useLogged('Loading members', query.error);
  return (
    <div className="px-5 pt-1 pb-5 sm:px-7">
      <Notice
        tone="warning"
        role="status"
        title={online ? 'No answer from our server' : 'You’re offline'}
        className="mb-3"
        action={
          online && (
            <Button
              variant="secondary"
              size="sm"
              busy={query.isFetching}
              onClick={() => void query.refetch()}
            >
              Try Again
            </Button>
          )
        }
      >
        These are the members seen on this device. You can still pour for them.
      </Notice>
      <SeenMemberList members={seenMembers(queue)} search={search} className="divide-y divide-line" />
    </div>
  );
}

function CustomerRow({ member }: { member: MemberRow }) {
  return (
    <li>
      <Link
        to="/staff/customers/$id"
        params={{ id: member.user_id }}
        className="flex min-h-18 items-center gap-3 px-5 py-3 hover:bg-surface-raised focus-visible:-outline-offset-3 sm:px-7"
      >
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 wrap-anywhere font-semibold text-lg">
            {member.first_name} {member.last_name}
          </span>
          <span className="block truncate text-ink-muted text-sm">{member.email}</span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-1">
          <TierBadge tier={member.tier} />
          <span className="text-ink-muted text-sm tabular-nums">{member.pours_balance} left</span>
        </span>
        <ChevronRight size={20} className="shrink-0 text-ink-muted" />
      </Link>
    </li>
  );
}

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** As high as five members, so that nothing moves when they arrive. */
function CustomerListSkeleton() {
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
