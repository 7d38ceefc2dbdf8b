import type { RevenueReport } from '../../../contract/staff/reports.ts';
import * as money from '../../../domain/money.ts';
import { LEAVING_REASON_LABELS } from '../../../domain/reports/leaving-reason.ts';
import type { ReportRange } from '../../../domain/reports/report-range.ts';
import { StatTile } from '../../ui/stat-tile.tsx';
import { colorOf, LazyPicture } from './pictures/lazy-picture.tsx';
import { ReportCard } from './report-card.tsx';
import { count, monthName, percent } from './report-format.ts';

export function RevenueView({ report, range }: { report: RevenueReport; range: ReportRange }) {
  const { months, reasons, currency, on_the_house: house } = report;
  const price = (cents: number) => money.formatPrice(cents, currency);
  const latest = months.at(-1);
  const newest = [...months].reverse();
  const isEmpty = months.every(({ opening, closing, joined }) => opening + closing + joined === 0);
  const nothing = isEmpty && 'The first months appear here once members have joined.';
  const lost = months.reduce((sum, it) => sum + it.lost, 0);
  return (
    <>
      {latest && !isEmpty && (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          <StatTile
            label="Recurring revenue"
            value={price(latest.closing_cents)}
            note="A month, paid or not. Payments has what was received."
          />
          <StatTile
            label="Members"
            value={count(latest.closing)}
            note={`A household counts once.${house.members > 0 ? ` On the house: ${count(house.members)}, worth ${price(house.cents)} a month.` : ''}`}
          />
          <StatTile label="Joined" value={count(months.reduce((sum, it) => sum + it.joined, 0))} />
          <StatTile
            label="Lost"
            value={count(lost)}
            note={`Churn in ${monthName(latest.month)}: ${percent(latest.churn)}`}
          />
        </div>
      )}
      <ReportCard
        title="Recurring Revenue"
        lead="What all memberships together cost per month, at the end of each month, before any added tax."
        range={range}
        file="revenue"
        empty={nothing}
        picture={
          <LazyPicture
            kind="bars"
            format={price}
            series={[{ key: 'revenue', label: 'Recurring revenue', color: colorOf(0) }]}
            points={months.map((it) => ({ name: monthName(it.month), revenue: it.closing_cents }))}
          />
        }
        table={{
          rows: newest,
          rowKey: ({ month }) => month,
          columns: [
            { key: 'month', header: 'Month', cell: ({ month }) => monthName(month), isRowHeader: true },
            { key: 'new', header: 'New', align: 'end', cell: (it) => price(it.new_cents) },
            {
              key: 'change',
              header: 'Changed',
              align: 'end',
              cell: (it) => price(it.expansion_cents - it.contraction_cents),
            },
            { key: 'lost', header: 'Lost', align: 'end', cell: (it) => price(it.lost_cents) },
            { key: 'end', header: 'At the end', align: 'end', cell: (it) => price(it.closing_cents) },
          ],
        }}
      />
      {!isEmpty && (
        <ReportCard
          title="Joined and Lost"
          lead="Members who joined in a month and stayed to its end, and members it began with who left."
          range={range}
          file="revenue"
          picture={
            <LazyPicture
              kind="bars"
              format={(members) => String(Math.abs(members))}
              series={[
                { key: 'joined', label: 'Joined', color: colorOf(2) },
                { key: 'lost', label: 'Lost', color: colorOf(0) },
              ]}
              points={months.map((it) => ({ name: monthName(it.month), joined: it.joined, lost: -it.lost }))}
            />
          }
          table={{
            rows: newest,
            rowKey: ({ month }) => month,
            columns: [
              { key: 'month', header: 'Month', cell: ({ month }) => monthName(month), isRowHeader: true },
              { key: 'opening', header: 'Start', align: 'end', cell: ({ opening }) => count(opening) },
              { key: 'joined', header: 'Joined', align: 'end', cell: ({ joined }) => count(joined) },
              { key: 'lost', header: 'Lost', align: 'end', cell: (it) => count(it.lost) },
              { key: 'churn', header: 'Churn', align: 'end', cell: ({ churn }) => percent(churn) },
            ],
          }}
        />
      )}
      {reasons.length > 0 && (
        <ReportCard
          title="Why Members Left"
          lead="The reasons given by members who left and have not come back."
          range={range}
          file="reasons"
          table={{
            rows: reasons,
            rowKey: ({ reason }) => reason ?? '',
            columns: [
              {
                key: 'reason',
                header: 'Reason',
                cell: ({ reason }) => (reason ? LEAVING_REASON_LABELS[reason] : 'Not given'),
                isRowHeader: true,
              },
              { key: 'members', header: 'Members', align: 'end', cell: ({ members }) => count(members) },
            ],
          }}
        />
      )}
    </>
  );
}
