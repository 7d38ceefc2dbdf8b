import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { newPassword } from '../../contract/forms/credentials.ts';
import { authErrorText, refusalOf } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { signOut } from '../api/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { toast } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { NewPasswordFields, newPasswordAlert } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { linkPage } from './links/link-page.tsx';

function ResetPasswordPage({ token }: { token: string }) {
  const router = useRouter();
  const [invalid, setInvalid] = useState(!token);

  const form = useForm({
    fields: { password: newPassword },
    extra: ['confirm_password'],
    alert: newPasswordAlert,
    onSubmit: async ({ password }) => {
      await auth.resetPassword({ token, password });
      // This browser's session ended with the others; this removes its cookies too.
      await signOut().catch(() => null);
      toast.success('Password changed. Please sign in.', { nextPage: true });
      await router.navigate({ to: '/login', replace: true });
    },
    onError: (error) => {
      if (refusalOf(error, 'LINK_INVALID')) {
        setInvalid(true);
        return undefined;
      }
      return authErrorText(error, 'We couldn’t change the password. Please try again.');
    },
  });

  return (
    <AuthLayout
      title="New password"
      heading="Choose a new password"
      lead={invalid ? 'This link does not work' : 'You will sign in with it from now on'}
    >
      {invalid ? (
        <div ref={(text) => text?.focus()} tabIndex={-1} className="flex flex-col gap-5 outline-none">
          <p>The link was already used, has expired, or is incomplete.</p>
          <LinkButton to="/forgot-password" size="lg" block>
            Send a New Link
          </LinkButton>
        </div>
      ) : (
        <form {...form.props} className="flex flex-col gap-5">
          <NewPasswordFields label="New Password" field={form.field} />
          <p className="text-ink-muted text-sm">
            All your devices will be signed out, and your passkeys will be removed.
          </p>
          <FormError of={form.failure} />
          <Button type="submit" size="lg" block busy={form.busy} busyLabel="Saving...">
            Save Password
          </Button>
        </form>
      )}
    </AuthLayout>
  );
}

export default linkPage(ResetPasswordPage);
