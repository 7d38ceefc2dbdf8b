import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { reason } from '../../../contract/forms/pour-fields.ts';
import type { MemberDetail } from '../../../contract/members.ts';
import type { MemberPayment } from '../../../contract/staff/refunds.ts';
import { formatAmount, parseAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import type { RefundObstacle } from '../../../domain/staff/refund.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay } from '../../format/dates.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { monthsText } from '../dues/dues-text.ts';
import { refreshMembers } from '../refresh-members.ts';
import { dateOfInstant } from '../venue-dates.ts';

const OBSTACLE_TEXT: Record<RefundObstacle, string> = {
  under_way: 'Another refund of this payment is under way. Please look again in a minute.',
  disputed:
    'The cardholder disputes this payment, and their bank decides. Please answer the dispute in Stripe.',
  unrefundable: 'Stripe cannot refund this payment. Please refund it at the venue.',
  nothing_left: 'This payment was already refunded in full.',
  outdated: 'Part of this payment was just refunded. Please close this and look again.',
  too_much: 'Less than that is left to refund. Please close this and look again.',
  refused: 'Stripe refused this refund. Please look at the payment in Stripe.',
};

interface RefundDialogProps {
  payment: MemberPayment;
  member: MemberDetail;
  onClose: () => void;
}

export function RefundDialog({ payment, member, onClose }: RefundDialogProps) {
  // A double tap or a retry requests the same refund; after a refusal, the next attempt requests a new one.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const queries = useQueryClient();
  const tierLabel = useTierLabel();

  const { currency, amount_refunded, amount_credited } = payment;
  const money = (amount: number) => formatAmount(amount, currency);
  const { unused } = payment;
  const remainder = payment.amount - amount_refunded - amount_credited;
  const amountOf = ({ how, typed }: Record<'how' | 'typed', string>) =>
    how === 'whole'
      ? remainder
      : how === 'unused' && unused
        ? unused.amount
        : parseAmount(typed.trim(), currency);
  const rollsOver = useRollsOver(payment.paid_for?.tier);

  const form = useForm({
    fields: { reason },
    extra: ['how', 'typed'],
    values: { how: unused ? 'unused' : 'whole' },
    alert: (values) => {
      const entered = amountOf(values);
      return entered !== null && entered >= 1 && entered <= remainder
        ? null
        : { field: 'typed', at: 'field', text: `Please enter an amount up to ${money(remainder)}.` };
    },
    onSubmit: async ({ reason }) => {
      if (amount === null) return;
      try {
        const refund = await api.refunds.create({
          request_id: requestId,
          customer_id: member.customer.id,
          payment_id: payment.id,
          amount,
          shown_refunded: amount_refunded,
          ...(form.values.how === 'unused' && unused && { unused_months: unused.months }),
          reason,
        });
        if (refund.status === 'done') toast.success(`${money(refund.amount)} refunded`);
        else {
          toast.info('The refund is under way', {
            description:
              'Stripe has not answered yet. We retry every minute; there is nothing for you to do.',
          });
        }
        onClose();
      } finally {
        void queries.invalidateQueries({ queryKey: orpc.refunds.key() });
        refreshMembers(queries);
      }
    },
    onError: (error) => {
      const refusal = refusalOf(error, 'REFUND_REFUSED');
      if (refusal) setRequestId(crypto.randomUUID());
      return refusal
        ? OBSTACLE_TEXT[refusal.data.reason]
        : (serverMessage(error) ??
            'We couldn’t reach the server. Please try again: nothing is refunded twice.');
    },
  });
  const amount = amountOf(form.values);
  return (
    <FormDialog
      form={form}
      title="Refund"
      description={[
        `${money(payment.amount)} paid on ${dateOfInstant(payment.paid_at)}${payment.paid_for ? ` for ${tierLabel(payment.paid_for.tier)}` : ''}.`,
        amount_refunded > 0 && `${money(amount_refunded)} of it was already refunded.`,
        amount_credited > 0 && `${money(amount_credited)} of it was given back by a credit note in Stripe.`,
      ]
        .filter(Boolean)
        .join(' ')}
      onClose={onClose}
      submitLabel={amount ? `Refund ${money(amount)}` : 'Refund'}
      busyLabel="Refunding..."
    >
      <SelectField
        label="How much"
        options={[
          ...(unused
            ? [{ value: 'unused', label: `${monthsText(unused.months)} not begun, ${money(unused.amount)}` }]
            : []),
          { value: 'whole', label: `Everything left, ${money(remainder)}` },
          { value: 'part', label: 'A part' },
        ]}
        {...form.field('how')}
      />
      {form.values.how === 'part' && (
        <TextField
          label={`Amount (${currency.toUpperCase()})`}
          inputMode="decimal"
          autoComplete="off"
          {...form.field('typed')}
          maxLength={10}
        />
      )}
      <TextareaField
        label="Reason"
        hint="Staff see it in the timeline. The member gets an email with the amount, not with the reason."
        rows={2}
        {...form.field('reason')}
      />
      <Notice tone="info" title="What stays as it is">
        {refundEffect(member)}
      </Notice>
      {form.values.how === 'unused' && unused && (
        <Notice tone="info" title="What changes">
          {unused.back_to
            ? `The member has ${tierLabel(unused.back_to)} again from ${dateOfDay(unused.until)}.`
            : `The membership is then paid until ${dateOfDay(unused.until)}, and ends by itself.`}
        </Notice>
      )}
      {rollsOver && !unused && amount === remainder && (
        <Notice tone="info" title="What changes">
          If a month is refunded in full, its unused pours do not roll over into the next.
        </Notice>
      )}
    </FormDialog>
  );
}

function useRollsOver(tier: string | undefined): boolean {
  const { data = [] } = useQuery(orpc.tiers.list.queryOptions());
  return data.some(({ tier_name, rollover_glasses }) => tier_name === tier && rollover_glasses > 0);
}

function refundEffect({ available_pours, customer, next_billing_date }: MemberDetail): string {
  if (customer.status !== 'active') return 'The membership has already ended. Pours in the history stay.';
  const glasses = `Their pours stay: ${pourCount(available_pours)} left in this billing period.`;
  const goesOn = next_billing_date
    ? `The membership continues, and the card is charged again on ${dateOfInstant(next_billing_date)}.`
    : 'The membership continues as it is.';
  return `${glasses} ${goesOn}`;
}
