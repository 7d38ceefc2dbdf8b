import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UnusedReport } from '../../../contract/staff/reports.ts';
import type { PaymentFilter } from '../../../domain/reports/payment-list.ts';
import { lastOfMonth, monthsOf, type ReportRange } from '../../../domain/reports/report-range.ts';
import { orpc, refusalOf } from '../../api/client.ts';
import { useTierLabel, useTierNames } from '../../api/use-tier-names.ts';
import { monthOfDay } from '../../format/dates.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { TabLink, TabNav } from '../../ui/tab-nav.tsx';
import { MembersView } from './members-view.tsx';
import { MonthView } from './month-view.tsx';
import { PaymentFilters, PaymentsView } from './payments-view.tsx';
import { colorOf, LazyPicture } from './pictures/lazy-picture.tsx';
import { PoursView } from './pours-view.tsx';
import { RangePicker } from './range-picker.tsx';
import { ReportCard } from './report-card.tsx';
import { count, monthName, percent } from './report-format.ts';
import { defaultRange, monthRange, REPORT_VIEWS, type ReportView, recentMonths } from './report-search.ts';
import { RevenueView } from './revenue-view.tsx';

const route = getRouteApi('/_staff/staff/reports');

const VIEW_NAMES: Record<ReportView, string> = {
  month: 'Month',
  payments: 'Payments',
  members: 'Members',
  revenue: 'Revenue',
  pours: 'Pours',
  unused: 'Unused',
};

export default function ReportsPage() {
  const { view = 'month', from, to, kind, state } = route.useSearch();
  const navigate = route.useNavigate();
  const today = venueToday();
  const chosen = from && to ? { from, to } : defaultRange(today);
  const range = view === 'month' ? monthRange(chosen.to, today) : chosen;
  return (
    <PageShell
      title="Reports"
      width="wide"
      // Beside the title, so that a phone shows the whole month.
      actions={
        view === 'month' && (
          <SelectField
            label="Month"
            labelHidden
            className="w-48 sm:w-60"
            options={recentMonths(today).map((value) => ({ value, label: monthOfDay(value) }))}
            value={range.from}
            onChange={({ target }) =>
              void navigate({ search: { view, ...monthRange(target.value, today) }, replace: true })
            }
          />
        )
      }
    >
      <TabNav label="Reports" tight>
        {REPORT_VIEWS.map((name) => (
          <TabLink
            key={name}
            to="/staff/reports"
            search={(search) => ({ ...search, view: name })}
            aria-current={name === view ? 'page' : undefined}
          >
            {VIEW_NAMES[name]}
          </TabLink>
        ))}
      </TabNav>
      {view === 'payments' && <PaymentFilters range={range} filter={{ kind, state }} />}
      {view !== 'payments' && view !== 'month' && (
        <RangePicker
          range={range}
          today={today}
          onChange={(days) => void navigate({ search: (search) => ({ ...search, ...days }), replace: true })}
        />
      )}
      <View view={view} range={range} filter={{ kind, state }} />
    </PageShell>
  );
}

function View({ view, range, filter }: { view: ReportView; range: ReportRange; filter: PaymentFilter }) {
  switch (view) {
    case 'month':
      return <Month range={range} />;
    case 'members':
      return <Members range={range} />;
    case 'revenue':
      return <Revenue range={range} />;
    case 'payments':
      return <Payments range={range} filter={filter} />;
    case 'pours':
      return <Pours range={range} />;
    case 'unused':
      return <Unused range={range} />;
  }
}

type Range = { range: ReportRange };

function Month({ range }: Range) {
  const payments = useQuery(orpc.reports.payments.queryOptions({ input: range }));
  const revenue = useQuery(orpc.reports.revenue.queryOptions({ input: range }));
  const pours = useQuery(orpc.reports.pours.queryOptions({ input: range }));
  const running = range.to !== lastOfMonth(range.from);
  return (
    <Loaded query={payments}>
      {(received) => (
        <Loaded query={revenue}>
          {(members) => (
            <Loaded query={pours}>
              {(poured) => (
                <MonthView payments={received} revenue={members} pours={poured} {...{ range, running }} />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
const Members = ({ range }: Range) => (
  <Loaded query={useQuery(orpc.reports.members.queryOptions({ input: range }))}>
    {(report) => <MembersView report={report} range={range} />}
  </Loaded>
);
const Revenue = ({ range }: Range) => (
  <Loaded query={useQuery(orpc.reports.revenue.queryOptions({ input: range }))}>
    {(report) => <RevenueView report={report} range={range} />}
  </Loaded>
);
const Payments = ({ range, filter }: Range & { filter: PaymentFilter }) => (
  <Loaded query={useQuery(orpc.reports.payments.queryOptions({ input: { ...range, ...filter } }))}>
    {(report) => <PaymentsView report={report} range={range} filter={filter} />}
  </Loaded>
);
const Pours = ({ range }: Range) => (
  <Loaded query={useQuery(orpc.reports.pours.queryOptions({ input: range }))}>
    {(report) => <PoursView report={report} range={range} />}
  </Loaded>
);
const Unused = ({ range }: Range) => (
  <Loaded query={useQuery(orpc.reports.unused.queryOptions({ input: range }))}>
    {(report) => <UnusedView report={report} range={range} />}
  </Loaded>
);

interface LoadedProps<Report> {
  query: UseQueryResult<Report>;
  children: (report: Report) => ReactNode;
}

function Loaded<Report>({ query, children }: LoadedProps<Report>) {
  const { data, error, refetch, isFetching } = query;
  if (data) return children(data);
  return (
    <Card>
      {error ? (
        <ErrorState
          title="We couldn’t load the report"
          text={
            refusalOf(error, 'NOT_ALLOWED')
              ? 'You do not have permission to see reports. Ask someone who manages staff.'
              : 'Choose fewer days, or try again.'
          }
          of={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonLines label="Loading the report" lines={9} className="min-h-96" />
      )}
    </Card>
  );
}

function UnusedView({ report, range }: { report: UnusedReport; range: ReportRange }) {
  const tierLabel = useTierLabel();
  const names = useTierNames();
  const placeOf = (tier: string) => names.findIndex(({ tier_name }) => tier_name === tier);
  const newest = report.months.toSorted(
    (one, other) => other.month.localeCompare(one.month) || placeOf(one.tier) - placeOf(other.tier),
  );
  const points = monthsOf(range).map((month) => {
    const rows = report.months.filter((it) => it.month === month);
    const total = rows.reduce((sum, it) => sum + it.given, 0);
    const unused = rows.reduce((sum, it) => sum + it.unused, 0);
    return { name: monthName(month), poured: total - unused, unused };
  });
  return (
    <ReportCard
      title="Pours Left Unused"
      lead="For billing periods that ended in each month: pours included, and pours left unused."
      range={range}
      file="unused"
      empty={
        report.months.length === 0 && 'The first billing periods end a month after the first member joined.'
      }
      picture={
        <LazyPicture
          kind="bars"
          series={[
            { key: 'poured', label: 'Poured', color: colorOf(0) },
            { key: 'unused', label: 'Left unused', color: colorOf(1) },
          ]}
          points={points}
        />
      }
      table={{
        rows: newest,
        rowKey: ({ month, tier }) => `${month} ${tier}`,
        beginsGroup: (row, above) => row.month !== above?.month,
        columns: [
          { key: 'month', header: 'Month', cell: ({ month }) => monthName(month), isRowHeader: true },
          { key: 'tier', header: 'Tier', cell: ({ tier }) => tierLabel(tier) },
          { key: 'given', header: 'Included', align: 'end', cell: ({ given }) => count(given) },
          { key: 'unused', header: 'Unused', align: 'end', cell: ({ unused }) => count(unused) },
          {
            key: 'share',
            header: 'Share',
            align: 'end',
            cell: ({ given, unused }) => percent(given === 0 ? null : unused / given),
          },
        ],
      }}
    />
  );
}
