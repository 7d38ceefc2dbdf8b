import formRules from 'virtual:form-rules';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useRejection } from './use-review.ts';

interface RejectDialogProps {
  applicationId: string;
  onClose: () => void;
}

export function RejectDialog({ applicationId, onClose }: RejectDialogProps) {
  const reject = useRejection();
  const form = useForm({
    rules: formRules.rejectApplication,
    // Failures are shown as a toast by `useRejection`.
    onSubmit: async ({ notes }) => {
      if (await reject({ id: applicationId, notes: notes || undefined })) onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Reject Application"
      width="wide"
      submitLabel="Reject Application"
      tone="danger"
    >
      <TextareaField
        autoFocus
        {...form.field('notes')}
        label="Rejection Notes (Optional)"
        hint="The applicant gets an email and sees the decision on their dashboard, without these notes. Staff see the notes here; the applicant sees them only in a download of their data."
        // The label already says so.
        optional={false}
      />
    </FormDialog>
  );
}
