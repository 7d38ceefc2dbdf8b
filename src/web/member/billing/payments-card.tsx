import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { formatCents } from '../../format/money.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { InvoiceButton } from './subscription-actions.tsx';

/** What was charged, and what was given back of it; nothing where nothing was ever paid by card. */
export function PaymentsCard() {
  const { data } = useQuery(orpc.billing.listPayments.queryOptions());
  if (!data || data.length === 0) return null;
  return (
    <Card title="Payments">
      <DataTable
        caption="Payments"
        rows={data}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'date',
            header: 'Date',
            names: true,
            cell: (row) => dateOfInstant(Date.parse(row.created_at) / 1000),
          },
          { key: 'amount', header: 'Amount', align: 'end', cell: (row) => formatCents(row.amount) },
          {
            key: 'status',
            header: 'Status',
            align: 'end',
            cell: (row) =>
              row.amount_refunded > 0
                ? `${formatCents(row.amount_refunded)} returned`
                : paymentText(row.status),
          },
          {
            key: 'invoice',
            header: 'Invoice',
            align: 'end',
            cell: (row) => (
              <InvoiceButton
                invoice={row.id}
                label={`View the invoice of ${dateOfInstant(Date.parse(row.created_at) / 1000)}`}
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

/** 'paid' -> 'Paid'. */
const paymentText = (status: string) => status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ');
