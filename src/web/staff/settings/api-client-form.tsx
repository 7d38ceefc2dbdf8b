import formRules from 'virtual:form-rules';
import { useState } from 'react';
import { type ApiScope, STAFF_SCOPES } from '../../../domain/staff/api-scope.ts';
import { api, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { SCOPE_TEXT } from './scope-text.ts';

export interface Credentials {
  name: string;
  client_id: string;
  client_secret: string;
}

interface ApiClientFormProps {
  onCreated: (credentials: Credentials) => void;
  onCancel: () => void;
}

/** The name and scopes of a new API client, and the password of its staff user. */
export function ApiClientForm({ onCreated, onCancel }: ApiClientFormProps) {
  const [scopes, setScopes] = useState<ApiScope[]>([]);
  const toggle = (scope: ApiScope) =>
    setScopes((had) => (had.includes(scope) ? had.filter((it) => it !== scope) : [...had, scope]));
  const form = useForm({
    rules: formRules.createApiClient,
    onSubmit: async (input) =>
      onCreated({ name: input.name, ...(await api.apiClients.create({ ...input, scopes })) }),
    onError: (error) => serverMessage(error) ?? 'Something went wrong. Please try again.',
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <TextField label="Name" hint="For example: Till at the bar" autoFocus {...form.field('name')} />
      <fieldset>
        <legend className="mb-1 font-semibold text-sm">It may</legend>
        {STAFF_SCOPES.map((scope) => (
          <label key={scope} className="target flex items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />
            <span>
              {SCOPE_TEXT[scope]}
              <span className="text-ink-muted text-sm"> · {scope}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <PasswordField label="Your Password" autoComplete="current-password" {...form.field('password')} />
      <FormError of={form.failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={scopes.length === 0} busy={form.busy} busyLabel="Adding...">
          Add
        </Button>
        <Button variant="secondary" disabled={form.busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
