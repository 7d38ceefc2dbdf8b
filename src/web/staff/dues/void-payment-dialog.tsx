import { useQueryClient } from '@tanstack/react-query';
import { reason } from '../../../contract/forms/pour-fields.ts';
import type { DuesEntry } from '../../../contract/staff/dues.ts';
import { formatAmount } from '../../../domain/money.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { dateOfDay } from '../../format/dates.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { refreshMembers } from '../refresh-members.ts';
import { DUES_OBSTACLE_TEXT, TIER_OBSTACLE_TEXT } from './dues-text.ts';

interface VoidPaymentDialogProps {
  payment: DuesEntry;
  currency: string;
  onClose: () => void;
}

export function VoidPaymentDialog({ payment, currency, onClose }: VoidPaymentDialogProps) {
  const queries = useQueryClient();
  const form = useForm({
    fields: { reason },
    onSubmit: async ({ reason }) => {
      try {
        await api.memberDues.void({ id: payment.id, reason });
        toast.success('Payment voided');
        onClose();
      } finally {
        refreshMembers(queries);
      }
    },
    onError: (error) => {
      const refused = refusalOf(error, 'DUES_REFUSED');
      const tier = refusalOf(error, 'TIER_CHANGE_REFUSED');
      return (
        (refused && DUES_OBSTACLE_TEXT[refused.data.reason]) ??
        (tier && TIER_OBSTACLE_TEXT[tier.data.reason]) ??
        serverMessage(error) ??
        'We couldn’t void the payment. Please try again.'
      );
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Void this payment?"
      description={`${formatAmount(payment.amount_cents, currency)} of ${dateOfDay(payment.paid_on)}. The list keeps it, marked as voided. ${
        payment.kind === 'difference'
          ? 'The tier before comes back with the next month, and the member gets an email.'
          : 'If nothing else pays for today, the days of grace begin today. What was poured stays poured, and is owed.'
      }`}
      submitLabel="Void Payment"
      busyLabel="Voiding..."
      tone="danger"
    >
      <TextareaField
        label="Reason"
        rows={2}
        autoFocus
        placeholder="e.g. wrong member"
        {...form.field('reason')}
      />
    </FormDialog>
  );
}
