import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import type { ButtonVariant } from '../ui/button-style.ts';
import { PasswordField } from '../ui/password-field.tsx';
import { authErrorText } from '../visitor/auth-error-text.ts';
import { FormError, useFormError } from '../visitor/form-error.tsx';

interface PasswordStepProps {
  children: ReactNode;
  label: string;
  variant?: ButtonVariant;
  /** Rejects with the server's refusal, which is shown. */
  onPassword: (password: string) => Promise<void>;
  onCancel: () => void;
}

/** Asks for the password before a change to how the account is kept safe. */
export function TwoFactorPasswordStep({ children, label, variant, onPassword, onCancel }: PasswordStepProps) {
  const [busy, setBusy] = useState(false);
  const [problem, say] = useFormError();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setBusy(true);
    try {
      await onPassword(String(new FormData(form).get('password')));
    } catch (error) {
      say(authErrorText(error, 'That did not work. Please try again.'));
      form.querySelector<HTMLInputElement>('[name=password]')?.select();
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {children}
      <PasswordField label="Password" name="password" autoComplete="current-password" autoFocus required />
      <FormError of={problem} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={variant} busy={busy} busyLabel="Checking...">
          {label}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
