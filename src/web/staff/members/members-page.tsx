import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Outlet, useParams, useSearch } from '@tanstack/react-router';
import Send from 'lucide-react/icons/send';
import UserPlus from 'lucide-react/icons/user-plus';
import type { MemberFilter } from '../../../contract/staff/directory.ts';
import { naturalDirection } from '../../../domain/staff/member-filter.ts';
import { api, orpc } from '../../api/client.ts';
import { useDeviceSetting } from '../../api/device-setting.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useMedia, useOfficeWindow } from '../../ui/use-media.ts';
import { CsvLink, fileUrl } from '../csv-link.tsx';
import { CountListButton } from '../dues/count-list-dialog.tsx';
import { useManagesMembers, useMayExport } from '../record/use-member-record.ts';
import { useSearchText } from '../use-search-text.ts';
import { ColumnMenu } from './column-menu.tsx';
import { filterOf, type ListAddress } from './list-address.ts';
import { LIST_COLUMNS, shownColumns } from './list-columns.tsx';
import { ClearFilters, ListFilters, useShowList } from './list-filters.tsx';
import { enterMembers, MemberTable, type MemberTableProps } from './member-table.tsx';

/** Beside an open member, and on a phone, each row shows name, standing and glasses left. */
const FEW = ['left'];
const ROOM_FOR_ALL = '(width >= 100rem)';
const ROOM_FOR_SOME = '(width >= 56rem)';

export default function MembersPage() {
  const address = useSearch({ from: '/_staff/staff/members' });
  const office = useOfficeWindow();
  const { id: openId } = useParams({ strict: false });
  if (openId && !office) return <Outlet />;
  return (
    <div className={openId ? 'grid grid-cols-[minmax(0,1fr)_30rem] items-start' : 'max-w-[94rem]'}>
      <List address={address} openId={openId} />
      <Outlet />
    </div>
  );
}

function List({ address, openId }: { address: ListAddress; openId: string | undefined }) {
  const show = useShowList();
  const { text, setText, typed, search } = useSearchText();
  const { order = 'name', direction = naturalDirection(order) } = address;
  const manages = useManagesMembers();
  const mayExport = useMayExport();
  const roomForAll = useMedia(ROOM_FOR_ALL);
  const roomForSome = useMedia(ROOM_FOR_SOME);
  const few = openId ? !roomForAll : !roomForSome;
  const filter = { ...filterOf(address), search };
  const query = useInfiniteQuery({
    queryKey: [...orpc.directory.key(), 'list', filter, order, direction],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.directory.list({ ...filter, order, direction, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const isUnfiltered = search === '' && Object.keys(filterOf(address)).length === 0;
  const listed = query.data?.pages[0]?.members.length;
  const isEmptyClub = isUnfiltered && listed === 0;
  return (
    <PageShell
      title="Members"
      width="full"
      actions={
        manages && (
          <LinkButton to="/staff/members/new" variant="quiet" size="sm" icon={<UserPlus size={18} />}>
            Add Member
          </LinkButton>
        )
      }
    >
      <div className={isEmptyClub ? 'hidden' : 'flex lying:flex-row lying:flex-wrap flex-col gap-3'}>
        <SearchField
          label="Search by name, email or phone"
          placeholder="Name, email or phone"
          className="max-w-reading lying:max-w-none lying:flex-1"
          text={text}
          onText={setText}
          onKeyDown={enterMembers}
        />
        <ListFilters address={address} folded={few} />
      </div>
      <Card padding="plain" className="overflow-clip">
        <div
          hidden={isEmptyClub}
          className="flex min-h-14 lying:min-h-10 flex-wrap items-center justify-between gap-2 border-line border-b px-5"
        >
          <span className="flex items-center gap-2">
            <Count filter={filter} />
            {!few && Object.keys(filterOf(address)).length > 0 && (
              <ClearFilters address={address} variant="quiet" />
            )}
          </span>
          <span className="flex items-center">
            {manages && address.dues === 'not_counted' && Boolean(listed) && (
              <CountListButton filter={filter} />
            )}
            {manages && search === '' && Boolean(listed) && <WriteButton filter={filterOf(address)} />}
            {mayExport && search === '' && !few && (
              <CsvLink href={fileUrl('/api/directory/csv', address)} label="These members as a CSV file" />
            )}
            {!few && <ColumnMenu />}
          </span>
        </div>
        <Loaded query={query} action="Loading members" lines={10} className="px-5 py-6">
          {({ pages }) => (
            <Rows
              {...{ query, address, order, direction, openId, few, isEmptyClub }}
              members={pages.flatMap((page) => page.members)}
              roomy={roomForAll && !openId}
              onOrder={(by, towards) => show({ ...address, order: by, direction: towards })}
              stale={search !== typed}
            />
          )}
        </Loaded>
      </Card>
    </PageShell>
  );
}

interface RowsProps extends Omit<MemberTableProps, 'columns' | 'hasMore' | 'onReachEnd'> {
  query: ReturnType<typeof useInfiniteQuery>;
  address: ListAddress;
  isEmptyClub: boolean;
  /** The typed text has changed since this list was requested. */
  stale: boolean;
}

function Rows({ query, address, stale, isEmptyClub, ...table }: RowsProps) {
  const { members, few } = table;
  const names = useDeviceSetting(shownColumns).split(',');
  if (members.length === 0)
    return (
      <EmptyState
        picture={<GuestListPicture />}
        title={isEmptyClub ? 'No members yet' : 'No members found'}
        // Elsewhere the same button is in sight above.
        action={
          few && Object.keys(filterOf(address)).length > 0 ? (
            <ClearFilters address={address} variant="secondary" />
          ) : undefined
        }
      />
    );
  const columns = LIST_COLUMNS.filter(({ name }) => (few ? FEW : names).includes(name));
  const outdated = stale || query.isPlaceholderData;
  return (
    <div aria-busy={outdated} className={classNames(outdated && 'opacity-60')}>
      <MemberTable
        {...table}
        columns={columns}
        hasMore={query.hasNextPage && !outdated}
        onReachEnd={() => !query.isFetchingNextPage && void query.fetchNextPage()}
      />
      {query.hasNextPage && (
        <div className="grid min-h-16 place-items-center">
          {query.isFetchingNextPage && <Spinner size="sm" />}
        </div>
      )}
    </div>
  );
}

/** Requested once per filter, not with each page; above 10,000 the exact number does not matter. */
const useCount = (filter: MemberFilter) =>
  useQuery({
    ...orpc.directory.count.queryOptions({ input: filter }),
    placeholderData: keepPreviousData,
  });

function WriteButton({ filter }: { filter: ListAddress }) {
  const { data } = useCount({ ...filter, search: '' });
  return (
    <LinkButton to="/staff/mailings/new" search={filter} variant="quiet" size="sm" icon={<Send size={18} />}>
      {data && !data.more ? `Write to ${data.count.toLocaleString('en-US')}` : 'Write'}
    </LinkButton>
  );
}

function Count({ filter }: { filter: MemberFilter }) {
  const { data } = useCount(filter);
  if (!data) return <span />;
  const { count, more } = data;
  const number = count.toLocaleString('en-US');
  return (
    <p role="status" className="text-ink-muted text-sm">
      {more ? `More than ${number} people` : count === 1 ? '1 person' : `${number} people`}
    </p>
  );
}
