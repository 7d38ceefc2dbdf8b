import { reason } from '../../../contract/forms/pour-fields.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api } from '../../api/client.ts';
import { inTime, isTimeout } from '../../api/in-time.ts';
import { logFailure } from '../../api/log-failure.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { failureToast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';

export function showVoidFailure(error: unknown, what = 'pour'): undefined {
  logFailure(`Undoing a ${what}`, error);
  const advice = isTimeout(error)
    ? 'No answer from our server. It may be undone already: try again when the connection is back.'
    : 'It is still recorded. Try again when you’re back online.';
  failureToast(`Failed to undo ${what}`, advice)(error);
}

interface VoidDialogProps {
  pour: { id: string; quantity: number };
  onClose: () => void;
  onVoided: (newBalance: number) => void;
}

export function VoidDialog({ pour, onClose, onVoided }: VoidDialogProps) {
  return (
    <UndoDialog
      what="pour"
      description={`${pourCount(pour.quantity)} will be returned to the member. The history keeps the pour, marked as voided.`}
      onUndo={async (reason) => {
        const { pours_balance } = await api.pours.void({ id: pour.id, reason }, inTime());
        onVoided(pours_balance);
      }}
      onClose={onClose}
    />
  );
}

interface UndoDialogProps {
  what: 'pour' | 'benefit';
  description: string;
  onUndo: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the reason that undoing later needs. */
export function UndoDialog({ what, description, onUndo, onClose }: UndoDialogProps) {
  const form = useForm({
    fields: { reason },
    onSubmit: async ({ reason }) => {
      await onUndo(reason);
      onClose();
    },
    onError: (error) => showVoidFailure(error, what),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Undo this ${what}?`}
      description={description}
      submitLabel={what === 'pour' ? 'Undo Pour' : 'Undo Benefit'}
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
