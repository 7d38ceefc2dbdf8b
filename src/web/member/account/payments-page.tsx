import { useQuery } from '@tanstack/react-query';
import { formatAmount } from '../../../domain/money.ts';
import { stripeLabel } from '../../../domain/payment-method.ts';
import { orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { InvoiceButton } from '../billing/subscription-actions.tsx';
import { AccountShell } from './account-shell.tsx';

export default function PaymentsPage() {
  return (
    <AccountShell
      title="Payments"
      lead={
        site.payments === 'off'
          ? 'You pay at the bar, so there are no card payments here.'
          : 'Every charge and refund on your card, with its invoice.'
      }
    >
      <PaymentsCard />
    </AccountShell>
  );
}

function PaymentsCard() {
  const { data } = useQuery(orpc.billing.listPayments.queryOptions());
  if (!data || data.length === 0) return null;
  return (
    <Card padding="plain">
      <DataTable
        caption="Payments"
        rows={data}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'date',
            header: 'Date',
            isRowHeader: true,
            cell: (row) => dateOfInstant(row.created_at),
          },
          {
            key: 'amount',
            header: 'Amount',
            align: 'end',
            cell: (row) => formatAmount(row.amount, row.currency),
          },
          {
            key: 'status',
            header: 'Status',
            align: 'end',
            cell: (row) =>
              row.amount_refunded > 0
                ? `${formatAmount(row.amount_refunded, row.currency)} refunded`
                : stripeLabel(row.status),
          },
          {
            key: 'invoice',
            header: 'Invoice',
            align: 'end',
            cell: (row) => (
              <InvoiceButton
                className="-mr-3"
                invoice={row.id}
                label={`View invoice from ${dateOfInstant(row.created_at)}`}
              >
                View
              </InvoiceButton>
            ),
          },
        ]}
      />
    </Card>
  );
}
