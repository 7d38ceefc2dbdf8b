import formRules from 'virtual:form-rules';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import type { AccountDialogProps } from './edit-names-dialog.tsx';
import { useKeepAccount, useReadAgain } from './use-keep-account.ts';

/** Corrects an unconfirmed email, or sends a link to the new one. */
export function ChangeMemberEmailDialog({ customerId, account, onClose }: AccountDialogProps) {
  const keep = useKeepAccount(customerId);
  const again = useReadAgain(customerId);
  const atOnce = !account.email_confirmed;
  const form = useForm({
    rules: formRules.changeMemberEmail,
    onSubmit: async ({ email }) => {
      try {
        const { version } = account;
        const changed = await api.memberAccount.changeEmail({ customer_id: customerId, version, email });
        keep(changed);
        if (changed.pending_email) toast.success(`The link went to ${changed.pending_email.new_email}`);
        else toast.success('Email corrected');
      } catch (error) {
        await again.rethrow(error);
      }
      onClose();
    },
    onError: (error) => {
      if (refusalOf(error, 'EMAIL_UNCHANGED')) return { email: 'The account already has this email.' };
      if (refusalOf(error, 'EMAIL_IN_USE')) return { email: serverMessage(error) ?? '' };
      if (refusalOf(error, 'EMAIL_SENDING_OFF')) {
        return 'This club cannot send email yet, so confirmed emails cannot be changed.';
      }
      return again.textOf(error) ?? serverMessage(error) ?? 'Nothing was changed. Please try again.';
    },
  });
  return (
    <FormDialog
      form={form}
      title={atOnce ? 'Correct the Email' : 'Change the Email'}
      description={
        atOnce
          ? `${account.email} was never confirmed, so the new email takes effect right away. Every device is signed out, and we’ll email the old address.`
          : 'We’ll email a link to the new address, and a notice to the old one. The change takes effect when the member follows the link, and every device is signed out.'
      }
      submitLabel={atOnce ? 'Correct' : 'Send the Link'}
      busyLabel="One moment..."
      onClose={onClose}
    >
      <TextField
        label="New Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.field('email')}
      />
    </FormDialog>
  );
}
