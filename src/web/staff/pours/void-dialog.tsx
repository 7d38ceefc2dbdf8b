import formRules from 'virtual:form-rules';
import { pourCount } from '../../../domain/pour.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { showVoidFailure, voidPour } from './void-pour.ts';

interface VoidablePour {
  id: string;
  quantity: number;
}

interface VoidDialogProps {
  /** Null while the dialog is closed. */
  pour: VoidablePour | null;
  onClose: () => void;
  onVoided: (newBalance: number) => void;
}

/** Asks for a reason, then voids the pour. */
export function VoidDialog({ pour, ...props }: VoidDialogProps) {
  return pour && <OpenVoidDialog key={pour.id} pour={pour} {...props} />;
}

function OpenVoidDialog({ pour, onClose, onVoided }: VoidDialogProps & { pour: VoidablePour }) {
  const form = useForm({
    rules: formRules.voidPour,
    onSubmit: async ({ reason }) => {
      const { pours_balance } = await voidPour(pour.id, reason);
      onVoided(pours_balance);
      onClose();
    },
    onError: (error) => {
      showVoidFailure(error);
      return undefined;
    },
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
