import { Link, useNavigate } from '@tanstack/react-router';
import type { PaymentsReport } from '../../../contract/staff/reports.ts';
import { formatAmount } from '../../../domain/money.ts';
import {
  PAYMENT_KINDS,
  PAYMENT_STATES,
  type PaymentFilter,
  type PaymentKind,
  type PaymentState,
} from '../../../domain/reports/payment-list.ts';
import type { ReportRange } from '../../../domain/reports/report-range.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay, monthOfDay } from '../../format/dates.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { ReportCard } from './report-card.tsx';
import { defaultRange, monthRange, recentMonths } from './report-search.ts';

type Payment = PaymentsReport['payments'][number];

const STATES: Record<PaymentState, { label: string; tone: Tone }> = {
  paid: { label: 'Paid', tone: 'positive' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  disputed: { label: 'Disputed', tone: 'danger' },
  overdue: { label: 'Overdue', tone: 'warning' },
};

const KINDS: Record<PaymentKind, string> = { membership: 'Membership', gift: 'Gift', till: 'At the till' };

/** On a phone a payment has two lines, the amount beside its name, so that nothing is cut off. */
const TWO_LINES = [
  'max-sm:[&_thead]:sr-only max-sm:[&_tbody_tr]:grid max-sm:[&_tbody_tr]:grid-cols-[1fr_auto]',
  'max-sm:[&_tbody_tr]:gap-x-3 max-sm:[&_tbody_tr]:gap-y-1 max-sm:[&_tbody_tr]:px-5 max-sm:[&_tbody_tr]:py-3',
  'max-sm:[&_tbody_:is(td,th)]:p-0! max-sm:[&_td:last-child]:order-1 max-sm:[&_td:nth-child(2)]:order-2',
  'max-sm:[&_td:nth-child(3)]:order-3',
].join(' ');

export function PaymentFilters({ range, filter }: { range: ReportRange; filter: PaymentFilter }) {
  const navigate = useNavigate({ from: '/staff/reports' });
  const today = venueToday();
  const usual = defaultRange(today);
  const months = recentMonths(today);
  const isMonth = months.includes(range.from) && range.to === monthRange(range.from, today).to;
  const isUsual = range.from === usual.from && range.to === usual.to;
  const set = (change: PaymentFilter & Partial<ReportRange>) =>
    void navigate({
      search: (search) => ({ ...search, view: 'payments', ...change }),
      replace: true,
      resetScroll: false,
    });
  const customOptions =
    isMonth || isUsual ? [] : [{ value: 'own', label: `${dateOfDay(range.from)} to ${dateOfDay(range.to)}` }];
  return (
    <div className="grid grid-cols-2 gap-3 sm:flex">
      <SelectField
        label="Period"
        className="max-sm:col-span-2"
        options={[
          { value: '', label: 'Last 12 months' },
          ...customOptions,
          ...months.map((value) => ({ value, label: monthOfDay(value) })),
        ]}
        value={(isMonth ? range.from : customOptions[0]?.value) ?? ''}
        onChange={({ target: { value: from } }) =>
          from !== 'own' && set(from ? monthRange(from, today) : { from: undefined, to: undefined })
        }
      />
      {site.payments === 'on' && (
        <>
          <SelectField
            label="Kind"
            options={[
              { value: '', label: 'Any kind' },
              ...PAYMENT_KINDS.map((value) => ({ value, label: KINDS[value] })),
            ]}
            value={filter.kind ?? ''}
            onChange={({ target: { value } }) => set({ kind: PAYMENT_KINDS.find((it) => it === value) })}
          />
          <SelectField
            label="State"
            options={[
              { value: '', label: 'Received' },
              ...PAYMENT_STATES.map((value) => ({ value, label: STATES[value].label })),
            ]}
            value={filter.state ?? ''}
            onChange={({ target: { value } }) => set({ state: PAYMENT_STATES.find((it) => it === value) })}
          />
        </>
      )}
    </div>
  );
}

const CARD_SUMS = [
  ['Refunded', 'refunded'],
  ['Disputed', 'disputed'],
  ['Overdue', 'overdue'],
] as const satisfies [string, PaymentState][];

interface PaymentsViewProps {
  report: PaymentsReport;
  range: ReportRange;
  filter: PaymentFilter;
}

export function PaymentsView({ report, range, filter }: PaymentsViewProps) {
  const tierLabel = useTierLabel();
  const { sums, payments, found, currency } = report;
  const byCard = site.payments === 'on';
  const isNarrowed = filter.kind !== undefined || filter.state !== undefined;
  const tile = (label: string, { count, cents }: PaymentsReport['sums']['card'], state?: PaymentState) => (
    <StatTile
      key={label}
      label={label}
      value={formatAmount(cents, currency)}
      note={
        state && count > 0 ? (
          <Link
            to="/staff/reports"
            search={(search) => ({ ...search, state, kind: undefined })}
            className="link"
          >
            {countOf(count)}
          </Link>
        ) : (
          countOf(count)
        )
      }
    />
  );
  const forWhat = ({ kind, tier }: Payment) =>
    [KINDS[kind], tier && tierLabel(tier)].filter(Boolean).join(', ');
  return (
    <>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5 max-md:[&>:last-child]:col-span-2">
        {(byCard || sums.card.count > 0) && tile('Received by card', sums.card)}
        {tile('Received at the till', sums.till)}
        {CARD_SUMS.map(
          ([label, state]) => (byCard || sums[state].count > 0) && tile(label, sums[state], state),
        )}
      </div>
      <ReportCard
        title="Payments"
        lead={
          filter.state === 'overdue'
            ? 'The card was declined. Stripe tries again, and the member was asked to update it.'
            : `${byCard ? 'Refund a payment on the member’s page. ' : ''}At the till, only the first month is recorded: compare its reference with the till.${
                found > payments.length
                  ? ` The latest ${payments.length} of ${found}; the file has them all.`
                  : ''
              }`
        }
        range={range}
        file="payments"
        filter={filter}
        empty={
          payments.length === 0 &&
          (isNarrowed ? 'No payments match these filters.' : 'No payments in these months.')
        }
        table={{
          className: TWO_LINES,
          rows: payments,
          rowKey: ({ id }) => id,
          columns: [
            {
              key: 'member',
              header: 'Name',
              isRowHeader: true,
              cell: (it) => (
                <>
                  <Payer {...it} />
                  <span className="block font-normal text-ink-muted">{dateOfDay(it.day)}</span>
                </>
              ),
            },
            {
              key: 'for',
              header: 'For',
              cell: (it) => (
                <>
                  {forWhat(it)}
                  {it.reference && (
                    <span className="block text-ink-muted">
                      {[it.reference, it.by && `approved by ${it.by}`].filter(Boolean).join(', ')}
                    </span>
                  )}
                </>
              ),
            },
            {
              key: 'state',
              header: 'State',
              cell: ({ state, cents, refunded_cents }) => (
                <Badge tone={STATES[state].tone}>
                  {state === 'refunded' && refunded_cents < cents ? 'Partly refunded' : STATES[state].label}
                </Badge>
              ),
            },
            {
              key: 'amount',
              header: 'Amount',
              align: 'end',
              cell: ({ cents, refunded_cents, ...it }) => (
                <>
                  {formatAmount(cents, it.currency)}
                  {refunded_cents > 0 && (
                    <span className="block whitespace-nowrap text-ink-muted text-xs">
                      {formatAmount(refunded_cents, it.currency)} refunded
                    </span>
                  )}
                </>
              ),
            },
          ],
        }}
      />
    </>
  );
}

const countOf = (count: number) => (count === 1 ? '1 payment' : `${count} payments`);

/** A payer who deleted their account has no page. */
function Payer({ user_id, name }: Payment) {
  if (!user_id || !name) return 'Deleted account';
  return (
    <Link to="/staff/customers/$id" params={{ id: user_id }} className="link">
      {name}
    </Link>
  );
}
