import { PasswordField } from '../ui/password-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { FieldAttributes } from '../ui/use-form.ts';

/** An account's email, for browsers to fill in. */
export function EmailField(field: FieldAttributes & { autoComplete?: 'username' | 'email' }) {
  return (
    <TextField
      label="Email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
    />
  );
}

interface NewPasswordFieldsProps {
  label: string;
  /** `form.field` of useForm. */
  field: (name: 'password' | 'confirm_password') => FieldAttributes;
}

/** A new password, typed twice. */
export function NewPasswordFields({ label, field }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        hint="At least 8 characters"
        {...field('password')}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        {...field('confirm_password')}
        required
      />
    </>
  );
}

interface NewPassword {
  password: string;
  confirm_password: string;
}

/**
 * The problem with a new password, as an alert of the whole form: docs/rules/pages.md, "Forms". The length and its message
 * come from the contract.
 */
export function newPasswordAlert(values: NewPassword, errors: { password?: string }) {
  if (values.password !== values.confirm_password) {
    return { field: 'confirm_password', text: 'Passwords do not match' } as const;
  }
  return errors.password ? ({ field: 'password', text: errors.password } as const) : null;
}
