import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';

export interface Credentials {
  name: string;
  client_id: string;
  client_secret: string;
}

interface MachineFormProps {
  onMade: (credentials: Credentials) => void;
  onCancel: () => void;
}

/** What the machine is called, and the password of who lets it in. */
export function ApiClientForm({ onMade, onCancel }: MachineFormProps) {
  const adding = useMutation(orpc.apiClients.create.mutationOptions());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (adding.isPending) return;
    const entered = new FormData(event.currentTarget);
    const name = String(entered.get('name')).trim();
    adding.mutate(
      { name, password: String(entered.get('password')) },
      { onSuccess: (made) => onMade({ name, ...made }) },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label="Name"
        name="name"
        hint="For example: Till at the bar"
        maxLength={60}
        autoFocus
        required
      />
      <PasswordField label="Your Password" name="password" autoComplete="current-password" required />
      {adding.isError && (
        <Notice key={adding.failureCount} tone="danger" role="alert">
          {'code' in adding.error ? adding.error.message : 'That did not work. Please try again.'}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={adding.isPending} busyLabel="Adding...">
          Add
        </Button>
        <Button variant="secondary" disabled={adding.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
