import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TierName } from '../../../contract/tiers.ts';
import { APPLICATION_STATUSES, type ApplicationStatus } from '../../../domain/application.ts';
import { api, orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { useTierNames } from '../../api/use-tier-names.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { type Option, SelectField } from '../../ui/select-field.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { toast } from '../../ui/toast.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { CsvLink } from '../csv-link.tsx';
import { useMayExport } from '../record/use-member-record.ts';
import { BackToDashboard, useBackToMore } from '../shell/back-links.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { ApplicationList } from './application-list.tsx';
import { STATUS_LABELS } from './application-status-badge.tsx';

type StatusFilter = 'all' | ApplicationStatus;

const STATUS_OPTIONS: Option<StatusFilter>[] = [
  { value: 'all', label: 'All Statuses' },
  ...APPLICATION_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
];

const PAPER_FORM_TIERS = ['select', 'reserve', 'connoisseur'];

function tierOptions(names: TierName[]): Option[] {
  const options = names.map(({ tier_name, display_name }) => ({ value: tier_name, label: display_name }));
  const onPaper = PAPER_FORM_TIERS.flatMap((tier) => options.filter(({ value }) => value === tier));
  const others = options.filter(({ value }) => !PAPER_FORM_TIERS.includes(value));
  return [{ value: 'all', label: 'All Tiers' }, ...onPaper, ...others];
}

/** One line on a phone in landscape, so that the list is in the window. */
const COUNTER = 'justify-between lying:flex-row lying:items-center lying:py-1.5';

export default function ApplicationsPage() {
  const [text, setText] = useState('');
  const [status, setStatus] = useState<StatusFilter>('pending');
  const [tier, setTier] = useState('all');
  const tierNames = useTierNames();
  const search = useDebounced(text.trim());
  const mayExport = useMayExport();
  const query = useInfiniteQuery({
    queryKey: [...orpc.applications.key(), 'list or search', { search, status, tier }],
    queryFn: ({ pageParam: cursor, signal }) => {
      const filter = { status, tier, cursor };
      return search
        ? api.applications.search({ ...filter, search }, { signal })
        : api.applications.list(filter, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  // Loaded once for all pages. The counts may arrive after the applications, because a search must count all of them.
  const counters = useQuery({
    queryKey: [...orpc.applications.key(), 'counters', { search, status, tier }],
    queryFn: ({ signal }) =>
      search
        ? api.applications.countFound({ status, tier, search }, { signal })
        : api.applications.count({ status, tier }, { signal }),
    placeholderData: keepPreviousData,
  });
  const error = query.error ?? counters.error;
  useEffect(() => {
    if (!error) return;
    logFailure('Loading applications', error);
    toast.error('Failed to load applications', { of: error });
  }, [error]);

  return (
    <PageShell
      title="Membership Applications"
      back={useBackToMore() ?? <BackToDashboard />}
      actions={
        <>
          {mayExport && search === '' && (
            <CsvLink
              href={`/api/applications/csv?${new URLSearchParams({ status, tier })}`}
              label="These applications as a CSV file"
            />
          )}
          <StaffSignOut />
        </>
      }
    >
      <div className="grid grid-cols-2 gap-3">
        <StatTile className={COUNTER} label="Total Applications" value={counters.data?.total ?? '–'} />
        <StatTile className={COUNTER} label="Pending Review" value={counters.data?.pending ?? '–'} />
      </div>
      <div className="grid grid-cols-2 lying:grid-cols-4 items-end gap-3">
        <SearchField
          className="col-span-2"
          label="Search by name or email"
          placeholder="Search by name or email..."
          text={text}
          onText={setText}
        />
        <SelectField
          label="Status"
          options={STATUS_OPTIONS}
          value={status}
          onChange={(event) => setStatus(event.target.value as StatusFilter)}
        />
        <SelectField
          label="Tier"
          options={tierOptions(tierNames)}
          value={tier}
          onChange={(event) => setTier(event.target.value)}
        />
      </div>
      <ApplicationList query={query} />
    </PageShell>
  );
}
