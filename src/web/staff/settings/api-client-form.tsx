import { useState } from 'react';
import { accessName, currentPassword } from '../../../contract/forms/credentials.ts';
import { type ApiScope, STAFF_SCOPES } from '../../../domain/staff/api-scope.ts';
import { api, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxList } from '../../ui/checkbox-list.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';

export const SCOPE_TEXT: Record<ApiScope, string> = {
  'own:read': 'Read its own membership',
  'own:write': 'Change its own application',
  'tiers:read': 'Read the tiers',
  'wines:read': 'Read the list of wines',
  'wines:write': 'Open and put away bottles',
  'cards:read': 'Check cards',
  'pours:read': 'Read pours',
  'pours:write': 'Record and void pours, list places',
  'members:read': 'Read members, with emails',
  'applications:read': 'Read applications, with emails',
  'applications:write': 'Approve and reject applications',
  'reports:read': 'Read reports, if you can',
  'venue:read': 'Read notices, with emails, tonight’s figures and the system’s status',
  'venue:write': 'Settle notices',
};

export type Credentials = { name: string } & Awaited<ReturnType<typeof api.apiClients.create>>;

interface ApiClientFormProps {
  onCreated: (credentials: Credentials) => void;
  onCancel: () => void;
}

export function ApiClientForm({ onCreated, onCancel }: ApiClientFormProps) {
  const [scopes, setScopes] = useState<ApiScope[]>([]);
  const form = useForm({
    fields: { name: accessName, password: currentPassword },
    onSubmit: async (input) =>
      onCreated({ name: input.name, ...(await api.apiClients.create({ ...input, scopes })) }),
    onError: (error) => serverMessage(error) ?? 'Something went wrong. Please try again.',
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <TextField label="Name" hint="For example: Till at the bar" autoFocus {...form.field('name')} />
      <CheckboxList
        legend="It may"
        values={STAFF_SCOPES}
        chosen={scopes}
        onChange={setScopes}
        label={(scope) => (
          <>
            {SCOPE_TEXT[scope]}
            <span className="text-ink-muted text-sm"> · {scope}</span>
          </>
        )}
      />
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
