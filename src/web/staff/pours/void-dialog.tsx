import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { MAX_REASON_LENGTH, pourCount } from '../../../domain/pour.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { showVoidFailure, voidPour } from './void-pour.ts';

interface VoidDialogProps {
  /** The pour to undo; null while the dialog is closed. */
  pour: { id: string; quantity: number } | null;
  onClose: () => void;
  onVoided: (newBalance: number) => void;
}

/** Asks for a reason, then voids the pour. */
export function VoidDialog({ pour, onClose, onVoided }: VoidDialogProps) {
  return pour && <OpenVoidDialog key={pour.id} pour={pour} onClose={onClose} onVoided={onVoided} />;
}

function OpenVoidDialog({
  pour,
  onClose,
  onVoided,
}: VoidDialogProps & { pour: { id: string; quantity: number } }) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [formId, fieldId] = [useId(), useId()];
  const { mutate, isPending } = useMutation({
    mutationFn: (text: string) => voidPour(pour.id, text),
    onSuccess: ({ pours_balance }) => {
      toast.success('Pour undone', { description: `${pours_balance} left` });
      onVoided(pours_balance);
      onClose();
    },
    onError: showVoidFailure,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (reason.trim()) return mutate(reason.trim());
    setMissing(true);
    document.getElementById(fieldId)?.focus();
  };
  return (
    <Dialog
      open
      onClose={() => !isPending && onClose()}
      title="Undo this pour?"
      description={`${pourCount(pour.quantity)} will be returned to the member. The history keeps the pour, marked as voided.`}
      actions={
        <>
          <Button variant="secondary" size="lg" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            form={formId}
            type="submit"
            variant="danger"
            size="lg"
            busy={isPending}
            busyLabel="Undoing..."
          >
            Undo Pour
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <TextareaField
          id={fieldId}
          label="Reason"
          rows={2}
          autoFocus
          required
          maxLength={MAX_REASON_LENGTH}
          placeholder="e.g. wrong member"
          error={missing && 'Please enter a reason.'}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setMissing(false);
          }}
        />
      </form>
    </Dialog>
  );
}
