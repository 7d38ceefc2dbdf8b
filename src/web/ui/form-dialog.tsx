import { type FormHTMLAttributes, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormError } from './form-error.tsx';
import type { ModalProps } from './modal.tsx';
import type { SendFailure } from './use-send.ts';

interface FormDialogProps extends Omit<ModalProps, 'actions'> {
  /** What useForm returns. Without `failure`, failures are shown elsewhere. */
  form: { props: FormHTMLAttributes<HTMLFormElement>; busy: boolean; failure?: SendFailure };
  submitLabel: ReactNode;
  busyLabel?: string;
  tone?: 'primary' | 'danger';
  disabled?: boolean;
  failureTitle?: string;
}

/** A dialog that is one form: its fields scroll, Cancel and the submit button stay in view. */
export function FormDialog({
  form,
  submitLabel,
  busyLabel,
  tone = 'primary',
  disabled,
  failureTitle,
  onClose,
  children,
  ...modal
}: FormDialogProps) {
  const id = useId();
  const close = () => {
    if (!form.busy) onClose();
  };
  return (
    <Dialog
      {...modal}
      onClose={close}
      actions={
        <>
          <Button variant="secondary" onClick={close} disabled={form.busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={id}
            variant={tone}
            busy={form.busy}
            busyLabel={busyLabel}
            disabled={disabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={id} {...form.props} className="flex flex-col gap-5">
        {children}
        {form.failure && <FormError of={form.failure} title={failureTitle} />}
      </form>
    </Dialog>
  );
}
