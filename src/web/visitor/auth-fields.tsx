import { PasswordField } from '../ui/password-field.tsx';
import { TextField, type TextFieldProps } from '../ui/text-field.tsx';
import type { FieldAttributes } from '../ui/use-form.ts';

export function EmailField(field: FieldAttributes & Partial<TextFieldProps>) {
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

type Passwords = 'password' | 'confirm_password';

interface NewPasswordFieldsProps {
  label: string;
  field: (name: Passwords) => FieldAttributes;
}

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

/** An alert of the whole form: docs/rules/pages.md, "Forms". The length and its message come from the contract. */
export function newPasswordAlert(values: Record<Passwords, string>, errors: { password?: string }) {
  if (values.password !== values.confirm_password) {
    return { field: 'confirm_password', text: 'Passwords do not match' } as const;
  }
  return errors.password ? ({ field: 'password', text: errors.password } as const) : null;
}
