import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useRejection } from './use-review.ts';

interface RejectDialogProps {
  applicationId: string;
  onClose: () => void;
}

export function RejectDialog({ applicationId, onClose }: RejectDialogProps) {
  const [notes, setNotes] = useState('');
  const rejection = useRejection();
  const form = useId();
  const close = () => {
    if (!rejection.isPending) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rejection.mutate({ id: applicationId, notes: notes.trim() || undefined }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={close}
      title="Reject Application"
      actions={
        <>
          <Button variant="secondary" size="lg" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} variant="danger" size="lg" busy={rejection.isPending}>
            Reject Application
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextareaField
          label="Rejection Notes (Optional)"
          maxLength={2000}
          autoFocus
          value={notes}
          onChange={(event) => setNotes(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
