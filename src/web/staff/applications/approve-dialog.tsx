import formRules from 'virtual:form-rules';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useApproval } from './use-review.ts';

interface ApproveDialogProps {
  applicationId: string;
  onClose: () => void;
}

export function ApproveDialog({ applicationId, onClose }: ApproveDialogProps) {
  const approval = useApproval();
  const formId = useId();
  const form = useForm({
    rules: formRules.approveApplication,
    // Failures are shown as a toast by `useApproval`.
    onSubmit: async (input) => {
      await approval.mutateAsync({ id: applicationId, ...input });
      onClose();
    },
  });
  const close = () => {
    if (!form.busy) onClose();
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
            form={formId}
            size="lg"
            busy={form.busy}
            disabled={form.values.toast_reference_number === '' || form.busy}
          >
            Approve & Create Membership
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <TextField
          label="Toast Reference Number *"
          autoFocus
          autoComplete="off"
          {...form.field('toast_reference_number')}
        />
      </form>
    </Dialog>
  );
}
