import formRules from 'virtual:form-rules';
import { useMutation } from '@tanstack/react-query';
import { orpc, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';

export interface Credentials {
  name: string;
  client_id: string;
  client_secret: string;
}

interface ApiClientFormProps {
  onCreated: (credentials: Credentials) => void;
  onCancel: () => void;
}

/** The name of a new API client, and the password of the staff user it acts for. */
export function ApiClientForm({ onCreated, onCancel }: ApiClientFormProps) {
  const { mutateAsync } = useMutation(orpc.apiClients.create.mutationOptions());
  const form = useForm({
    rules: formRules.createApiClient,
    onSubmit: async (input) => onCreated({ name: input.name, ...(await mutateAsync(input)) }),
    onError: (error) => serverMessage(error) ?? 'Something went wrong. Please try again.',
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <TextField label="Name" hint="For example: Till at the bar" autoFocus {...form.field('name')} />
      <PasswordField label="Your Password" autoComplete="current-password" {...form.field('password')} />
      <FormError of={form.failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={form.busy} busyLabel="Adding...">
          Add
        </Button>
        <Button variant="secondary" disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
