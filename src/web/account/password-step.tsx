import type { ReactNode } from 'react';
import { currentPassword } from '../../contract/forms/credentials.ts';
import { authErrorText } from '../api/api-error.ts';
import type { ButtonVariant } from '../ui/button-style.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { FormError } from '../ui/form-error.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { useForm } from '../ui/use-form.ts';

interface PasswordStepProps {
  children: ReactNode;
  label: string;
  variant?: ButtonVariant;
  /** Rejects with the server's refusal, which is shown. */
  onPassword: (password: string) => Promise<void>;
  onCancel: () => void;
}

export function PasswordStep({ children, label, variant, onPassword, onCancel }: PasswordStepProps) {
  const form = useForm({
    fields: { password: currentPassword },
    onSubmit: ({ password }) => onPassword(password),
    onError: (error) => authErrorText(error, 'Something went wrong. Please try again.'),
    retry: 'password',
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      {children}
      <PasswordField label="Password" autoComplete="current-password" autoFocus {...form.field('password')} />
      <FormError of={form.failure} />
      <FormButtons variant={variant} busy={form.busy} busyLabel="Checking..." onCancel={onCancel}>
        {label}
      </FormButtons>
    </form>
  );
}
