import { useQueryClient } from '@tanstack/react-query';
import { currentPassword, newPassword } from '../../contract/forms/credentials.ts';
import { authErrorText, refusalOf } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { orpc } from '../api/client.ts';
import { lacksPassword } from '../api/joining.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { toast } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { useInlineForm } from '../ui/use-inline-form.ts';
import { NewPasswordFields, newPasswordAlert } from '../visitor/auth-fields.tsx';

export function PasswordCard() {
  const form = useInlineForm();

  return (
    <Card title="Password">
      {lacksPassword() ? (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="min-w-0 flex-1 basis-56 text-ink-muted">You haven’t chosen one yet.</p>
          <LinkButton to="/dashboard" variant="secondary">
            Choose a Password
          </LinkButton>
        </div>
      ) : form.isOpen ? (
        <ChangePasswordForm onDone={form.close} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="min-w-0 flex-1 basis-56 text-ink-muted">
            Changing it signs out all your other devices.
          </p>
          <Button ref={form.button} variant="secondary" onClick={form.open}>
            Change Password
          </Button>
        </div>
      )}
    </Card>
  );
}

function ChangePasswordForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    fields: { current_password: currentPassword, password: newPassword },
    extra: ['confirm_password'],
    alert: newPasswordAlert,
    onSubmit: async ({ current_password, password }) => {
      await auth.changePassword({ current_password, password });
      toast.success('Password changed', { description: 'All your other devices were signed out.' });
      onDone();
      await Promise.all(
        [orpc.sessions.list.key(), orpc.apiClients.list.key()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      );
    },
    onError: (error) => {
      const text = authErrorText(error, 'We couldn’t change the password. Please try again.');
      return refusalOf(error, 'WRONG_PASSWORD') ? { current_password: text } : text;
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <PasswordField
        label="Current Password"
        autoComplete="current-password"
        autoFocus
        {...form.field('current_password')}
      />
      <NewPasswordFields label="New Password" field={form.field} />
      <FormError of={form.failure} />
      <FormButtons busy={form.busy} busyLabel="Saving..." onCancel={onDone}>
        Save Password
      </FormButtons>
    </form>
  );
}
