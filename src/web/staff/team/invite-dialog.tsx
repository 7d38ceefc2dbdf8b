import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { currentPassword, email } from '../../../contract/forms/credentials.ts';
import { STAFF_PERMISSIONS, type StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { authErrorText } from '../../api/api-error.ts';
import { api, orpc } from '../../api/client.ts';
import { CheckboxList } from '../../ui/checkbox-list.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { PERMISSION_TEXT } from './permission-text.ts';

interface InviteDialogProps {
  again?: { email: string; permissions: StaffPermission[] };
  onClose: () => void;
}

/** Emails a link to join the staff. With permissions, requires the manager's own password. */
export function InviteDialog({ again, onClose }: InviteDialogProps) {
  const client = useQueryClient();
  const [permissions, setPermissions] = useState<StaffPermission[]>(again?.permissions ?? []);
  const form = useForm({
    fields: { email, password: z.optional(currentPassword) },
    values: { email: again?.email },
    alert: ({ password }) =>
      permissions.length > 0 && !password ? { field: 'password', text: 'Required', at: 'field' } : null,
    onSubmit: async ({ email, password }) => {
      await api.team.invite({ email, password, permissions });
      toast.success(`We emailed ${email}. The link works for three days.`);
      await client.invalidateQueries({ queryKey: orpc.team.listInvitations.key() });
      onClose();
    },
    onError: (error) => authErrorText(error, 'We couldn’t send the invitation. Please try again.'),
    retry: 'password',
  });
  return (
    <FormDialog
      form={form}
      title={again ? 'Send the Invitation Again' : 'Invite to the Team'}
      submitLabel="Send Invitation"
      busyLabel="Sending..."
      onClose={onClose}
    >
      <TextField
        label="Their Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={!again}
        {...form.field('email')}
      />
      <CheckboxList
        legend="Permissions"
        values={STAFF_PERMISSIONS}
        chosen={permissions}
        onChange={setPermissions}
        label={(permission) => (
          <>
            {PERMISSION_TEXT[permission].label}
            <span className="text-ink-muted text-sm"> · {PERMISSION_TEXT[permission].opens}</span>
          </>
        )}
      />
      {permissions.length > 0 && (
        <PasswordField
          label="Your Password"
          autoComplete="current-password"
          autoFocus={Boolean(again)}
          {...form.field('password')}
          optional={false}
          required
        />
      )}
    </FormDialog>
  );
}
