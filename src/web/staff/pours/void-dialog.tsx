import { reason } from '../../../contract/forms/pour-fields.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api } from '../../api/client.ts';
import { inTime, isTimeout } from '../../api/in-time.ts';
import { logFailure } from '../../api/log-failure.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { failureToast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';

export function showVoidFailure(error: unknown): undefined {
  logFailure('Undoing a pour', error);
  const advice = isTimeout(error)
    ? 'No answer from our server. It may be undone already: try again when the connection is back.'
    : 'It is still recorded. Try again when you’re back online.';
  failureToast('Failed to undo pour', advice)(error);
}

interface VoidDialogProps {
  pour: { id: string; quantity: number };
  onClose: () => void;
  onVoided: (newBalance: number) => void;
}

export function VoidDialog({ pour, onClose, onVoided }: VoidDialogProps) {
  const form = useForm({
    fields: { reason },
    onSubmit: async ({ reason }) => {
      const { pours_balance } = await api.pours.void({ id: pour.id, reason }, inTime());
      onVoided(pours_balance);
      onClose();
    },
    onError: showVoidFailure,
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Undo this pour?"
      description={`${pourCount(pour.quantity)} will be returned to the member. The history keeps the pour, marked as voided.`}
      submitLabel="Undo Pour"
      busyLabel="Undoing..."
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
