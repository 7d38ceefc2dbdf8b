import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import type { MemberPayment } from '../../../contract/staff/refunds.ts';
import { formatAmount } from '../../../domain/money.ts';
import { stripeLabel } from '../../../domain/payment-method.ts';
import { orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { dateOfInstant, formatDateTime } from '../venue-dates.ts';
import { RefundDialog } from './refund-dialog.tsx';

export function PaymentsCard({ member }: { member: MemberDetail }) {
  const query = useQuery(
    orpc.refunds.listPayments.queryOptions({ input: { customer_id: member.customer.id } }),
  );
  return (
    <Loaded query={query} action="Loading payments" card="Payments" lines={3}>
      {(payments) =>
        payments.length > 0 ? (
          <Payments payments={payments} member={member} />
        ) : (
          <Card title="Payments">
            <p className="text-ink-muted">No payments by card</p>
          </Card>
        )
      }
    </Loaded>
  );
}

function Payments({ payments, member }: { payments: MemberPayment[]; member: MemberDetail }) {
  const [refunding, setRefunding] = useState<MemberPayment | null>(null);
  const tierLabel = useTierLabel();
  return (
    <Card title="Payments" padding="plain">
      <DataTable
        caption="Payments"
        rows={payments}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'date',
            header: 'Paid',
            isRowHeader: true,
            cell: (row) => (
              <>
                {formatDateTime(row.paid_at)}
                {row.paid_for && (
                  <span className="block font-normal text-ink-muted text-sm">
                    {row.difference ? 'Difference to ' : ''}
                    {tierLabel(row.paid_for.tier)}
                  </span>
                )}
                <span className="block wrap-anywhere font-normal text-ink-muted text-sm">{row.id}</span>
              </>
            ),
          },
          {
            key: 'amount',
            header: 'Amount',
            align: 'end',
            cell: (row) => (
              <>
                {formatAmount(row.amount, row.currency)}
                {row.amount_refunded > 0 && (
                  <span className="block text-ink-muted text-sm">
                    {formatAmount(row.amount_refunded, row.currency)} refunded
                  </span>
                )}
                {row.amount_credited > 0 && (
                  <span className="block text-ink-muted text-sm">
                    {formatAmount(row.amount_credited, row.currency)} credited
                  </span>
                )}
              </>
            ),
          },
          {
            key: 'refund',
            header: 'Refund',
            align: 'end',
            cell: (row) =>
              row.obstacle === null && !member.former ? (
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Refund the payment of ${dateOfInstant(row.paid_at)}`}
                  onClick={() => setRefunding(row)}
                >
                  Refund
                </Button>
              ) : (
                <span className="text-ink-muted text-sm">{stateOf(row)}</span>
              ),
          },
        ]}
      />
      {refunding && <RefundDialog payment={refunding} member={member} onClose={() => setRefunding(null)} />}
    </Card>
  );
}

/** The payment's state, shown in place of the button. */
function stateOf({ obstacle, status }: MemberPayment): string {
  switch (obstacle) {
    case 'under_way':
      return 'Under way';
    case 'unrefundable':
      return 'Not through Stripe';
    default:
      return stripeLabel(status);
  }
}
