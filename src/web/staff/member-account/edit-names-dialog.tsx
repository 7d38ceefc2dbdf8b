import * as z from 'zod/mini';
import { personName, phoneNumber } from '../../../contract/forms/person.ts';
import type { MemberAccount } from '../../../contract/staff/member-account.ts';
import { api, serverMessage } from '../../api/client.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useKeepAccount, useReadAgain } from './use-keep-account.ts';

export interface AccountDialogProps {
  customerId: string;
  account: MemberAccount;
  onClose: () => void;
}

export function EditNamesDialog({ customerId, account, onClose }: AccountDialogProps) {
  const keep = useKeepAccount(customerId);
  const again = useReadAgain(customerId);
  const form = useForm({
    fields: { first_name: personName, last_name: personName, phone: z.nullable(phoneNumber) },
    values: {
      first_name: account.first_name,
      last_name: account.last_name,
      phone: account.phone ?? '',
    },
    onSubmit: async ({ first_name, last_name, phone }) => {
      try {
        const names = { first_name, last_name, phone: phone ?? null };
        const { version } = account;
        keep(await api.memberAccount.update({ customer_id: customerId, version, ...names }));
      } catch (error) {
        await again.rethrow(error);
      }
      toast.success('Saved');
      onClose();
    },
    onError: (error) =>
      again.textOf(error) ?? serverMessage(error) ?? 'Nothing was changed. Please try again.',
  });
  return (
    <FormDialog
      form={form}
      title="Edit Name and Phone"
      submitLabel="Save"
      busyLabel="Saving..."
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField label="First Name" autoComplete="off" autoFocus {...form.field('first_name')} />
        <TextField label="Last Name" autoComplete="off" {...form.field('last_name')} />
      </div>
      <TextField label="Phone" type="tel" autoComplete="off" {...form.field('phone')} />
    </FormDialog>
  );
}
