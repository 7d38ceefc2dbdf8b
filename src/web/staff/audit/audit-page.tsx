import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import Download from 'lucide-react/icons/download';
import type { AuditEntry, AuditFilter } from '../../../contract/staff/audit.ts';
import { formatAmount } from '../../../domain/money.ts';
import { AUDIT, auditDetail } from '../../../domain/staff/audit.ts';
import { UNKNOWN_DEVICE } from '../../../domain/staff/device-name.ts';
import { api, orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvelopePicture } from '../../ui/illustrations.tsx';
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { fileUrl } from '../csv-link.tsx';
import { CLUB_LABELS } from '../settings/club-labels.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { PERMISSION_TEXT } from '../team/permission-text.ts';
import { formatDateTime } from '../venue-dates.ts';
import { AuditFilters } from './audit-filters.tsx';
import { nameOf } from './name-of.ts';

/** Without an act that this version doesn't know. */
function knownFilter(search: AuditFilter): AuditFilter {
  const { what, ...others } = search;
  return what && !Object.hasOwn(AUDIT, what) ? others : search;
}

export default function AuditPage() {
  const filter = knownFilter(useSearch({ from: '/_staff/staff/audit' }));
  const query = useInfiniteQuery({
    queryKey: [...orpc.audit.key(), 'list', filter],
    queryFn: ({ pageParam: cursor, signal }) => api.audit.list({ ...filter, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const entriesOf = (data: typeof query.data) => data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <PageShell
      width="wide"
      title="Audit"
      lead="What was done by staff and from the command line. Pours are in each member’s history."
      back={useBackToMore()}
      actions={
        <AnchorButton
          variant="secondary"
          size="sm"
          href={fileUrl('/api/audit/csv', filter)}
          download
          icon={<Download size={18} />}
        >
          Export CSV
        </AnchorButton>
      }
    >
      <AuditFilters filter={filter} entries={entriesOf(query.data)} />
      <Loaded query={query} failed="We couldn’t load the audit" card lines={8}>
        {(data) => (
          <>
            <Entries entries={entriesOf(data)} filtered={Object.keys(filter).length > 0} />
            {query.isFetchNextPageError ? (
              <Button variant="secondary" className="self-center" onClick={() => void query.fetchNextPage()}>
                Show Older Entries
              </Button>
            ) : (
              <InfiniteScroll
                hasMore={query.hasNextPage}
                loading={query.isFetchingNextPage}
                onReach={query.fetchNextPage}
              />
            )}
          </>
        )}
      </Loaded>
    </PageShell>
  );
}

function Entries({ entries, filtered }: { entries: AuditEntry[]; filtered: boolean }) {
  if (entries.length > 0) {
    return (
      <Card padding="plain">
        <ol className="divide-y divide-line" aria-label="Entries, newest first">
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ol>
      </Card>
    );
  }
  return (
    <Card>
      <EmptyState
        picture={<EnvelopePicture />}
        title={filtered ? 'No matching entries' : 'Nothing yet'}
        text={!filtered && 'Approvals, voided pours of colleagues, permissions and prices will be here.'}
        action={
          filtered && (
            <LinkButton variant="secondary" to="/staff/audit" search={{}}>
              Show Everything
            </LinkButton>
          )
        }
      />
    </Card>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const detail = auditDetail(entry, {
    money: (cents) => formatAmount(cents, site.currency),
    tierLabel: useTierLabel(),
    permissionLabel: (permission) => PERMISSION_TEXT[permission]?.label ?? '',
    clubLabel: (field) => CLUB_LABELS[field],
  });
  const { actor, subject } = entry;
  return (
    <li className="grid gap-x-6 gap-y-1 px-5 py-3 sm:px-7 lg:grid-cols-[12.5rem_minmax(0,1.6fr)_minmax(0,1fr)_minmax(0,1fr)] lg:items-baseline">
      <time dateTime={entry.at} className="text-ink-muted text-sm tabular-nums">
        {formatDateTime(entry.at)}
      </time>
      <p className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{AUDIT[entry.act]?.label}</span>
        {detail && (
          <span className="text-ink-muted lg:block">
            <span className="lg:hidden"> · </span>
            {detail}
          </span>
        )}
      </p>
      <p className="min-w-0 wrap-anywhere text-sm lg:text-base">
        <span className="text-ink-muted lg:sr-only">By </span>
        <Link
          to="/staff/audit"
          search={(filter) => ({
            ...filter,
            who: actor?.user_id ?? (entry.device === 'Automatic' ? 'automatic' : 'command_line'),
          })}
          className="link"
        >
          {actor ? nameOf(actor) : entry.device}
        </Link>
        {actor && entry.device !== UNKNOWN_DEVICE && (
          <span className="text-ink-muted text-sm lg:block"> on {entry.device}</span>
        )}
      </p>
      {subject && (
        <p className="min-w-0 wrap-anywhere text-sm lg:text-base">
          <span className="text-ink-muted lg:sr-only">To </span>
          <Link
            to="/staff/audit"
            search={(filter) => ({ ...filter, whom: subject.user_id })}
            className="link"
          >
            {nameOf(subject)}
          </Link>
        </p>
      )}
    </li>
  );
}
