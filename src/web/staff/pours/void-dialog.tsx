import formRules from 'virtual:form-rules';
import { useId } from 'react';
import { pourCount } from '../../../domain/pour.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
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
  const formId = useId();
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
    <Dialog
      open
      onClose={() => !form.busy && onClose()}
      title="Undo this pour?"
      description={`${pourCount(pour.quantity)} will be returned to the member. The history keeps the pour, marked as voided.`}
      actions={
        <>
          <Button variant="secondary" size="lg" disabled={form.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            form={formId}
            type="submit"
            variant="danger"
            size="lg"
            busy={form.busy}
            busyLabel="Undoing..."
          >
            Undo Pour
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <TextareaField
          label="Reason"
          rows={2}
          autoFocus
          placeholder="e.g. wrong member"
          {...form.field('reason')}
        />
      </form>
    </Dialog>
  );
}
