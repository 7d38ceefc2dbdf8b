import { Link, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { refusalOf } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { signOut } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { toast } from '../ui/toast.ts';
import { authErrorText } from './auth-error-text.ts';
import { NewPasswordFields } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { FormError, useFormError } from './form-error.tsx';
import { passwordError } from './password-rules.ts';

interface ResetPasswordScreenProps {
  /** From the mail's link; empty when somebody came without one. */
  token: string;
}

export function ResetPasswordPage({ token }: ResetPasswordScreenProps) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [spent, setSpent] = useState(!token);
  const [problem, say] = useFormError();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const entered = new FormData(form);
    const password = String(entered.get('password') ?? '');
    const found = passwordError(password, String(entered.get('confirm_password') ?? ''));
    say(found?.text ?? '');
    if (found) {
      form.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
      return;
    }
    setBusy(true);
    try {
      await auth.resetPassword({ token, password });
      // This browser's session ended with the others; its cookies go too.
      await signOut().catch(() => null);
      toast.success('Password changed. Please sign in.');
      await router.navigate({ to: '/login', replace: true });
    } catch (error) {
      if (refusalOf(error, 'LINK_INVALID')) setSpent(true);
      else say(authErrorText(error, 'The password could not be changed. Please try again.'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <AuthLayout
      title="New password"
      heading="Choose a new password"
      lead={spent ? 'This link cannot be used' : 'You sign in with it afterwards'}
      otherwise={
        <Link to="/login" className="link">
          Back to sign in
        </Link>
      }
    >
      {spent ? (
        <div ref={(text) => text?.focus()} tabIndex={-1} className="flex flex-col gap-5 outline-none">
          <p>The link was used already, is older than 30 minutes, or is not complete.</p>
          <LinkButton to="/forgot-password" size="lg" block>
            Send a New Link
          </LinkButton>
        </div>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-5">
          <NewPasswordFields label="New Password" />
          <p className="text-ink-muted text-sm">
            Every device that is signed in now will be signed out, and passkeys are removed.
          </p>
          <FormError of={problem} />
          <Button type="submit" size="lg" block busy={busy} busyLabel="Saving...">
            Save Password
          </Button>
        </form>
      )}
    </AuthLayout>
  );
}
