import { PasswordField } from '../ui/password-field.tsx';
import { TextField } from '../ui/text-field.tsx';

/** The address an account has, for browsers to fill in. */
export function EmailField() {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}

/** A password that is being chosen, twice: `password` and `confirm_password`. */
export function NewPasswordFields({ label }: { label: string }) {
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        autoComplete="new-password"
        hint="At least 8 characters"
        required
      />
      <PasswordField label="Confirm Password" name="confirm_password" autoComplete="new-password" required />
    </>
  );
}
