import formRules from 'virtual:form-rules';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useRejection } from './use-review.ts';

interface RejectDialogProps {
  applicationId: string;
  onClose: () => void;
}

export function RejectDialog({ applicationId, onClose }: RejectDialogProps) {
  const reject = useRejection();
  const formId = useId();
  const form = useForm({
    rules: formRules.rejectApplication,
    // Failures are shown as a toast by `useRejection`.
    onSubmit: async ({ notes }) => {
      if (await reject({ id: applicationId, notes: notes || undefined })) onClose();
    },
  });
  const close = () => {
    if (!form.busy) onClose();
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
          <Button type="submit" form={formId} variant="danger" size="lg" busy={form.busy}>
            Reject Application
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <TextareaField
          autoFocus
          {...form.field('notes')}
          label="Rejection Notes (Optional)"
          hint="The applicant is told by email and on their dashboard, without these notes. Staff see them here; the applicant sees them only in a download of their data."
          // The label already says so.
          optional={false}
        />
      </form>
    </Dialog>
  );
}
