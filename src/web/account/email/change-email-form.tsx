import formRules from 'virtual:form-rules';
import { useQueryClient } from '@tanstack/react-query';
import { refusalOf } from '../../api/api-error.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Asks for the new email and the password, and sends a link to the new email. */
export function ChangeEmailForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    rules: formRules.changeEmail,
    onSubmit: async (input) => {
      const pending = await api.emailChange.create(input);
      client.setQueryData(orpc.emailChange.get.queryKey(), (known) => known && { ...known, pending });
      onDone();
    },
    onError: (error) => {
      const text = serverMessage(error) ?? 'Nothing was changed. Please try again.';
      if (refusalOf(error, 'WRONG_PASSWORD')) return { password: text };
      return refusalOf(error, 'EMAIL_UNCHANGED') ? { email: text } : text;
    },
  });
  return (
    <form {...form.props} aria-label="Change email" className="flex flex-col gap-5">
      <p className="text-ink-muted">
        We’ll send a link to the new email. When you follow it, your email changes and every other device is
        signed out.
      </p>
      <TextField
        label="New Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.field('email')}
      />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
      <FormError of={form.failure} />
      <FormButtons busy={form.busy} busyLabel="Sending..." onCancel={onDone}>
        Send the Link
      </FormButtons>
    </form>
  );
}
