import { Link } from '@tanstack/react-router';
import type { PaymentsReport, PoursReport, RevenueReport } from '../../../contract/staff/reports.ts';
import { formatAmount, formatPrice } from '../../../domain/money.ts';
import type { ReportRange } from '../../../domain/reports/report-range.ts';
import { site } from '../../api/site.ts';
import { Card } from '../../ui/card.tsx';
import { count } from './report-format.ts';
import type { ReportView } from './report-search.ts';

interface Figure {
  label: string;
  value: string;
  /** What it counts. */
  note: string;
  view: ReportView;
}

interface MonthViewProps {
  payments: PaymentsReport;
  revenue: RevenueReport;
  pours: PoursReport;
  range: ReportRange;
  /** The month is not over. */
  running: boolean;
}

/** The figures of one month, each with what it counts and a link to its report. */
export function MonthView({ range, ...month }: MonthViewProps) {
  return (
    <Card padding="plain">
      <dl className="grid gap-x-12 px-5 py-0.5 sm:px-7 sm:py-1.5 lg:grid-flow-col lg:grid-cols-2 lg:grid-rows-[repeat(4,auto)]">
        {figuresOf(month).map(({ label, value, note, view }) => (
          <div
            key={label}
            className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 border-line border-b py-1 last:border-b-0 sm:py-2 lg:py-3 lg:nth-4:border-b-0"
          >
            <dt>
              <Link to="/staff/reports" search={{ view, ...range }} className="link">
                {label}
              </Link>
            </dt>
            <dd className="font-title text-xl tabular-nums lg:text-2xl">{value}</dd>
            <dd className="col-span-2 text-ink-muted text-sm max-sm:leading-tight">{note}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function figuresOf({ payments, revenue, pours, running }: Omit<MonthViewProps, 'range'>): Figure[] {
  const { sums, currency } = payments;
  const byCard = site.payments === 'on' || sums.card.count > 0;
  const members = revenue.months.at(-1);
  const atTheEnd = running ? 'today' : 'at the end of the month';
  const ofCards: Figure[] = [
    {
      label: 'Received by card',
      value: formatAmount(sums.card.cents, currency),
      note: 'Charged for memberships and gifts, less refunds.',
      view: 'payments',
    },
    {
      label: 'Refunded',
      value: formatAmount(sums.refunded.cents, currency),
      note: 'Of this month’s card payments; taken off above.',
      view: 'payments',
    },
  ];
  const ofMembers: Figure[] = members
    ? [
        {
          label: 'Recurring revenue',
          value: formatPrice(members.closing_cents, currency),
          note: 'What memberships cost a month, paid or not.',
          view: 'revenue',
        },
        {
          label: 'Members',
          value: count(members.closing),
          note: `Memberships ${atTheEnd}. A household counts once.`,
          view: 'members',
        },
        {
          label: 'Joined',
          value: count(members.joined),
          note: `A member ${atTheEnd}, but not when it began.`,
          view: 'revenue',
        },
        {
          label: 'Lost',
          value: count(members.lost),
          note: `A member when it began, but not ${atTheEnd}.`,
          view: 'revenue',
        },
      ]
    : [];
  return [
    ...(byCard ? ofCards : []),
    {
      label: 'Received at the till',
      value: formatAmount(sums.till.cents, currency),
      note: 'First months only. Later ones are in your till.',
      view: 'payments',
    },
    ...ofMembers,
    {
      label: 'Pours',
      value: count(pours.days.reduce((sum, { glasses }) => sum + glasses, 0)),
      note: 'Glasses poured, except voided ones.',
      view: 'pours',
    },
  ];
}
