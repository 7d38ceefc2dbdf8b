import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useApproval } from './use-review.ts';

interface ApproveDialogProps {
  applicationId: string;
  onClose: () => void;
}

export function ApproveDialog({ applicationId, onClose }: ApproveDialogProps) {
  const [reference, setReference] = useState('');
  const [missing, setMissing] = useState(false);
  const approval = useApproval();
  const form = useId();
  const close = () => {
    if (!approval.isPending) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const toast_reference_number = reference.trim();
    if (!toast_reference_number) return setMissing(true);
    approval.mutate({ id: applicationId, toast_reference_number }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={close}
      title="Approve Application"
      description="Enter the point-of-sale reference number to create the membership."
      actions={
        <>
          <Button variant="secondary" size="lg" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={form}
            size="lg"
            busy={approval.isPending}
            disabled={reference === '' || approval.isPending}
          >
            Approve & Create Membership
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <TextField
          label="Toast Reference Number *"
          required
          autoFocus
          autoComplete="off"
          maxLength={100}
          value={reference}
          error={missing && 'Toast reference number is required'}
          onChange={(event) => {
            setReference(event.target.value);
            setMissing(false);
          }}
          onBlur={() => setMissing(reference !== '' && reference.trim() === '')}
        />
      </form>
    </Dialog>
  );
}
