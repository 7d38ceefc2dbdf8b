import { Link } from '@tanstack/react-router';
import type { AbsentReport } from '../../../contract/staff/reports.ts';
import type { NotSeenRisk } from '../../../domain/reports/not-seen.ts';
import type { ReportRange } from '../../../domain/reports/report-range.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay } from '../../format/dates.ts';
import { Badge } from '../../ui/badge.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ReportCard } from './report-card.tsx';

const RISKS: Record<NotSeenRisk, { label: string; tone: 'danger' | 'warning' | 'neutral' }> = {
  high: { label: 'High', tone: 'danger' },
  medium: { label: 'Medium', tone: 'warning' },
  low: { label: 'Low', tone: 'neutral' },
};

export function AbsentView({ report, range }: { report: AbsentReport; range: ReportRange }) {
  const tierLabel = useTierLabel();
  const { members, total } = report;
  const lead =
    total > members.length
      ? `The ${members.length} most likely to leave, of ${total}. The file has them all.`
      : 'Those most likely to leave first.';
  return (
    <ReportCard
      title="Members not seen for 21 days"
      lead={lead}
      range={range}
      file="absent"
      empty={members.length === 0 && 'Every member was here within the last three weeks.'}
      table={
        <DataTable
          caption="Members not seen for 21 days"
          rows={members}
          rowKey={({ customer_id }) => customer_id}
          columns={[
            {
              key: 'name',
              header: 'Member',
              isRowHeader: true,
              cell: ({ name, user_id }) => (
                <Link to="/staff/customers/$id" params={{ id: user_id }} className="link">
                  {name}
                </Link>
              ),
            },
            {
              key: 'risk',
              header: 'Risk',
              cell: ({ risk, why }) => (
                <div className="flex min-w-36 flex-wrap items-baseline gap-x-3 gap-y-1">
                  <Badge tone={RISKS[risk].tone}>{RISKS[risk].label}</Badge> {why}
                </div>
              ),
            },
            {
              key: 'last',
              header: 'Last visit',
              cell: ({ last_visit, days_away }) =>
                last_visit ? `${dateOfDay(last_visit)}, ${days_away} days ago` : 'Never',
            },
            { key: 'tier', header: 'Tier', cell: ({ tier }) => tierLabel(tier) },
          ]}
        />
      }
    />
  );
}
