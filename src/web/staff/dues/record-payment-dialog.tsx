import { useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { referenceNumber } from '../../../contract/forms/staff-fields.ts';
import type { RefusalData } from '../../../contract/refusals.ts';
import type { Dues } from '../../../contract/staff/dues.ts';
import { type DuesMethod, duesAmount } from '../../../domain/membership/dues.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { inTime, isUnanswered } from '../../api/in-time.ts';
import { dateOfDay } from '../../format/dates.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { queuedPayments } from '../offline-queue/queued-payments.ts';
import { refreshMembers } from '../refresh-members.ts';
import { bankPaymentText, changeTitle, DUES_OBSTACLE_TEXT } from './dues-text.ts';
import { amountAlert, PAYMENT_EXTRA, PaymentFields, paymentValues, readPayment } from './payment-fields.tsx';

interface RecordPaymentProps {
  /** The holder of the membership. */
  customerId: string;
  name: string;
  dues: Pick<Dues, 'state' | 'paid_until' | 'price_cents' | 'year_cents'>;
  /** How the last payment was made. */
  method?: DuesMethod | null | undefined;
}

export function RecordPaymentButton(props: RecordPaymentProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        Record Payment
      </Button>
      {open && <RecordPaymentDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function RecordPaymentDialog({
  customerId,
  name,
  dues,
  method,
  onClose,
}: RecordPaymentProps & { onClose: () => void }) {
  // One request per dialog: a double tap or a retry counts once.
  const [requestId] = useState(() => crypto.randomUUID());
  // As shown when the dialog opened, so that a payment recorded meanwhile is noticed.
  const [paidUntil, setPaidUntil] = useState(dues.paid_until);
  const [change, setChange] = useState<RefusalData['DUES_CHANGED'] | null>(null);
  const [pending, setPending] = useState<RefusalData['BANK_PAYMENT_PENDING'] | null>(null);
  const { price_cents, year_cents } = dues;
  const today = venueToday();
  const queries = useQueryClient();
  const { user } = useRouteContext({ from: '/_staff' });

  const form = useForm({
    fields: { reference: referenceNumber },
    extra: [...PAYMENT_EXTRA, 'paid_on'],
    values: { ...paymentValues(price_cents, method ?? 'cash'), paid_on: today },
    alert: (values) =>
      values.paid_on === '' || values.paid_on > today
        ? { field: 'paid_on', at: 'field', text: 'Please choose a day up to today.' }
        : amountAlert(values),
    onSubmit: async ({ reference }) => {
      const { months, method, amount_cents = duesAmount(dues, months) } = readPayment(form.values);
      const { paid_on } = form.values;
      const payment = {
        ...{ request_id: requestId, customer_id: customerId, reference, months, amount_cents },
        ...{ method: method ?? 'cash', paid_until: paidUntil },
        // Without a day the server takes its own today.
        ...(paid_on !== today && { paid_on }),
        ...(pending && { beside_bank_payment: true }),
      };
      try {
        const { paid_until } = await api.memberDues.record(payment, inTime());
        toast.success('Payment recorded', {
          ...(paid_until && { description: `${name} is paid until ${dateOfDay(paid_until)}.` }),
        });
        onClose();
      } catch (error) {
        // Sent later, for the day of today.
        const queued = { payment: { ...payment, paid_on }, member: name, staff_id: user.id };
        if (!isUnanswered(error) || !queuedPayments.save(queued)) throw error;
        toast.info('Payment kept on this device', {
          description: 'It is sent as soon as our server is back, and counts once.',
        });
        onClose();
      } finally {
        refreshMembers(queries);
      }
    },
    onError: (error) => {
      const changed = refusalOf(error, 'DUES_CHANGED');
      if (changed) {
        setChange(changed.data);
        setPaidUntil(changed.data.paid_until);
        return undefined;
      }
      const bank = refusalOf(error, 'BANK_PAYMENT_PENDING');
      if (bank) {
        setPending(bank.data);
        return undefined;
      }
      const refused = refusalOf(error, 'DUES_REFUSED');
      if (refused) return DUES_OBSTACLE_TEXT[refused.data.reason];
      if (refusalOf(error, 'REQUEST_ID_REUSED'))
        return 'This payment was already recorded, with another amount. Please close this and look at the list.';
      if (isUnanswered(error))
        return 'No answer from our server, and no room on this device. Please try again: it counts once.';
      return serverMessage(error) ?? 'We couldn’t record the payment. Please try again: it counts once.';
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Record Payment"
      description={stateText(name, dues)}
      submitLabel={change || pending ? 'Record This One Too' : 'Record Payment'}
      busyLabel="Recording..."
      width="wide"
    >
      {change && (
        <Notice tone="warning" role="alert" title={changeTitle(change)}>
          {change.paid_until && `${name} is now paid until ${dateOfDay(change.paid_until)}. `}
          If this is the same payment, cancel.
        </Notice>
      )}
      {pending && (
        <Notice tone="warning" role="alert" title={bankPaymentText(pending)}>
          The bank may still pay it. If {name} is not to pay both, cancel.
        </Notice>
      )}
      <TextField label="Toast Reference Number *" autoFocus autoComplete="off" {...form.field('reference')} />
      <PaymentFields form={form} price_cents={price_cents} year_cents={year_cents} />
      <TextField label="Received on" type="date" max={today} {...form.field('paid_on')} />
    </FormDialog>
  );
}

function stateText(name: string, { state, paid_until }: RecordPaymentProps['dues']): string {
  if (paid_until === null)
    return `${name}’s payments are not counted yet. This one counts from the current month.`;
  return `${name} ${state === 'overdue' ? 'was' : 'is'} paid until ${dateOfDay(paid_until)}.`;
}
