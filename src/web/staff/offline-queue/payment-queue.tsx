import { formatAmount } from '../../../domain/money.ts';
import type { SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';
import { dateOfDay } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Group } from './queue-list.tsx';
import { type QueuedPayment, queuedPayments } from './queued-payments.ts';
import { type QueuedEntry, waitingLabel } from './queued-pour.ts';

/** '2 pours waiting, 1 payment waiting': what is still to be sent; empty for nothing. */
export function queueLabel(entries: readonly QueuedEntry[], { length }: readonly QueuedPayment[]): string {
  const payments = `${length} ${length === 1 ? 'payment' : 'payments'} waiting`;
  return [entries.length > 0 && waitingLabel(entries), length > 0 && payments].filter(Boolean).join(', ');
}

/** Payments at the venue that wait for the server, or were refused. Renders nothing without one. */
export function PaymentQueue({ user, payments }: { user: SessionUser; payments: readonly QueuedPayment[] }) {
  if (payments.length === 0) return null;
  return (
    <Group title="Payments">
      {payments.map((queued) => (
        <li key={queued.payment.request_id} className="flex items-center justify-between gap-4 py-3">
          <Described user={user} queued={queued} />
          {/* A sent payment may be recorded: it goes on being sent, and is voided on the member's page. */}
          {queued.refused !== undefined && (
            <Button
              variant="secondary"
              aria-label={`Dismiss the payment for ${queued.member}`}
              onClick={() => queuedPayments.remove(queued.payment.request_id)}
            >
              Dismiss
            </Button>
          )}
        </li>
      ))}
    </Group>
  );
}

function Described({ user, queued }: { user: SessionUser; queued: QueuedPayment }) {
  const { payment, member, refused, staff_id } = queued;
  return (
    <div className="min-w-0 text-sm">
      <p className="font-semibold text-base">{member}</p>
      <p className="text-ink-muted">
        {formatAmount(payment.amount_cents, site.currency)}, {payment.reference}
        {payment.paid_on && `, ${dateOfDay(payment.paid_on)}`}
      </p>
      {refused !== undefined && <p className="font-medium text-danger">{refused}</p>}
      {refused === undefined && staff_id !== user.id && (
        <p className="text-ink-muted">Sent when the colleague who took it signs in on this device.</p>
      )}
    </div>
  );
}
