import { Link } from '@tanstack/react-router';
import type { PaymentsReport } from '../../../contract/staff/reports.ts';
import { formatAmount } from '../../../domain/money.ts';
import type { ReportRange } from '../../../domain/reports/report-range.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { statusLabel } from '../../format/billing-labels.ts';
import { dateOfDay, formatDateTime } from '../../format/dates.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { ReportCard } from './report-card.tsx';

/** Card charges, and staff approvals for payments at the till. */
export function PaymentsView({ report, range }: { report: PaymentsReport; range: ReportRange }) {
  const tierLabel = useTierLabel();
  const { charges, approvals, charged, approved, currency } = report;
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <StatTile
          label="By card, less refunds"
          value={formatAmount(charged.cents, currency)}
          note={countOf(charged.count, 'payment')}
        />
        <StatTile
          label="Approved at the till"
          value={formatAmount(approved.cents, currency)}
          note={countOf(approved.count, 'approval')}
        />
      </div>
      <ReportCard
        title="Approved at the till"
        lead={leadOf(
          approvals.length,
          approved.count,
          'Memberships that staff approved with a reference number, at the first month’s price. Compare them with the till; later months are paid there too, and are not recorded here.',
        )}
        range={range}
        file="approvals"
        empty={approvals.length === 0 && 'Nobody was approved at the till in these days.'}
        table={
          <DataTable
            caption="Approved at the till"
            rows={approvals}
            rowKey={({ id }) => id}
            beginsGroup={(row, above) => row.day !== above?.day}
            columns={[
              {
                key: 'when',
                header: 'When',
                cell: ({ at, day }) => <OneLine>{at ? formatDateTime(at) : dateOfDay(day)}</OneLine>,
              },
              {
                key: 'reference',
                header: 'Reference',
                cell: ({ reference }) => <OneLine>{reference}</OneLine>,
                isRowHeader: true,
              },
              { key: 'by', header: 'Approved by', cell: ({ by }) => by ?? 'Unknown' },
              {
                key: 'member',
                header: 'Member',
                cell: ({ user_id, name }) => <MemberLink user_id={user_id} name={name} />,
              },
              { key: 'tier', header: 'Tier', cell: ({ tier }) => tierLabel(tier) },
              {
                key: 'price',
                header: 'Price',
                align: 'end',
                cell: ({ cents }) => formatAmount(cents, currency),
              },
            ]}
          />
        }
      />
      <ReportCard
        title="Paid by card"
        lead={leadOf(charges.length, charged.count, 'Charges for memberships and gifts.')}
        range={range}
        file="payments"
        empty={charges.length === 0 && 'Nothing was charged by card in these days.'}
        table={
          <DataTable
            caption="Paid by card"
            rows={charges}
            rowKey={({ id }) => id}
            columns={[
              { key: 'when', header: 'When', cell: ({ at }) => <OneLine>{formatDateTime(at)}</OneLine> },
              {
                key: 'member',
                header: 'Paid by',
                isRowHeader: true,
                cell: ({ user_id, name }) => <MemberLink user_id={user_id} name={name} />,
              },
              {
                key: 'for',
                header: 'For',
                cell: ({ paid_for }) => (paid_for === 'gift' ? 'A gift' : 'Membership'),
              },
              { key: 'status', header: 'Status', cell: ({ status }) => statusLabel(status) },
              {
                key: 'amount',
                header: 'Amount',
                align: 'end',
                cell: ({ cents, refunded_cents, ...it }) => formatAmount(cents - refunded_cents, it.currency),
              },
            ]}
          />
        }
      />
    </>
  );
}

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

const leadOf = (shown: number, all: number, lead: string) =>
  all > shown ? `${lead} The latest ${shown} of ${all}; the file has them all.` : lead;

/** A time or reference in one line: on a phone the table scrolls sideways instead of growing tall. */
const OneLine = ({ children }: { children: string }) => <span className="whitespace-nowrap">{children}</span>;

/** A payer who deleted their account, or only ever bought a gift, may have no page. */
function MemberLink({ user_id, name }: { user_id: string | null; name: string | null }) {
  if (!user_id || !name) return 'Deleted account';
  return (
    <Link to="/staff/customers/$id" params={{ id: user_id }} className="link">
      {name}
    </Link>
  );
}
