import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { confirmation, currentPassword } from '../../../contract/forms/credentials.ts';
import { DELETE_CONFIRMATION } from '../../../domain/account-deletion.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { refreshMembers } from '../refresh-members.ts';
import type { AccountDialogProps } from './edit-names-dialog.tsx';

/** For a member who asked by letter, or has died. Staff enter their own password, because nothing undoes this. */
export function DeleteAccountDialog({ customerId, account, onClose }: AccountDialogProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const name = `${account.first_name} ${account.last_name}`;
  const form = useForm({
    fields: { password: currentPassword, confirmation },
    onSubmit: async (input) => {
      await api.privacy.deleteMemberAccount({ ...input, customer_id: customerId });
      toast.success(`The account of ${name} was deleted`, { nextPage: true });
      refreshMembers(queries);
      await navigate({ to: '/staff/members', replace: true });
    },
    onError: (error) => {
      const text = serverMessage(error) ?? 'Nothing was deleted. Please try again.';
      if (refusalOf(error, 'WRONG_PASSWORD')) return { password: text };
      if (!refusalOf(error, 'PAYMENTS_UNAVAILABLE')) return text;
      return 'The payment service did not respond, so the membership could not be ended. Please try again in a moment.';
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Delete the account of ${name}?`}
      description="Their membership ends right away, nothing is charged again, and their profile, card, notes and everything else about them are deleted. Only the number of pours and the amounts paid stay, without their name. You can’t undo this. We’ll email them that it was done."
      submitLabel="Delete Permanently"
      busyLabel="Deleting..."
      onClose={onClose}
    >
      <PasswordField
        label="Your Password"
        autoComplete="current-password"
        autoFocus
        {...form.field('password')}
      />
      <TextField
        label={`Type ${DELETE_CONFIRMATION} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field('confirmation')}
        onChange={(event) => form.set('confirmation', event.target.value.trim().toUpperCase())}
      />
    </FormDialog>
  );
}
