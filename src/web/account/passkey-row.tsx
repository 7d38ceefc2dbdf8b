import formRules from 'virtual:form-rules';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Passkey } from '../../contract/auth/passkeys.ts';
import { ApiError } from '../api/api-error.ts';
import { api, orpc, serverMessage } from '../api/client.ts';
import { dateOfInstant } from '../format/dates.ts';
import { Button } from '../ui/button.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { FormError } from '../ui/form-error.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useForm } from '../ui/use-form.ts';
import { PasswordStep } from './password-step.tsx';

interface PasskeyRowProps {
  passkey: Passkey;
  /** Rejects if the passkey was not removed. */
  onRemove: (password: string) => Promise<void>;
}

export function PasskeyRow({ passkey, onRemove }: PasskeyRowProps) {
  const [mode, setMode] = useState<'rename' | 'remove' | null>(null);
  const renameButton = useRef<HTMLButtonElement>(null);
  const { name, created_at, last_used_at } = passkey;

  // Returns the focus to the buttons that replace the form.
  const finish = () => {
    flushSync(() => setMode(null));
    renameButton.current?.focus();
  };

  const remove = async (password: string) => {
    try {
      await onRemove(password);
    } catch (error) {
      throw new ApiError(0, { message: serverMessage(error) ?? '' });
    }
  };

  if (mode === 'remove') {
    return (
      <li className="py-4">
        <PasswordStep label="Remove" variant="danger" onCancel={finish} onPassword={remove}>
          <p>
            Remove <strong className="break-words">{name}</strong>? You can still sign in with your password.
            Please enter it now.
          </p>
        </PasswordStep>
      </li>
    );
  }
  if (mode === 'rename') {
    return (
      <li className="py-4">
        <RenameForm passkey={passkey} onDone={finish} />
      </li>
    );
  }
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="break-words font-semibold">{name}</p>
        <p className="text-ink-muted text-sm">
          Added {dateOfInstant(created_at)},{' '}
          {last_used_at ? `last used ${dateOfInstant(last_used_at)}` : 'not used yet'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          ref={renameButton}
          variant="quiet"
          size="sm"
          aria-label={`Rename ${name}`}
          onClick={() => setMode('rename')}
        >
          Rename
        </Button>
        <Button variant="secondary" size="sm" aria-label={`Remove ${name}`} onClick={() => setMode('remove')}>
          Remove
        </Button>
      </div>
    </li>
  );
}

function RenameForm({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    rules: formRules.renamePasskey,
    values: { name: passkey.name },
    onSubmit: async ({ name }) => {
      const renamed = await api.passkeys.rename({ id: passkey.id, name });
      client.setQueryData(orpc.passkeys.list.queryKey(), (list) =>
        list?.map((it) => (it.id === renamed.id ? renamed : it)),
      );
      onDone();
    },
    onError: (error) => serverMessage(error) ?? 'We couldn’t save the name. Please try again.',
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <TextField label="Name" autoFocus {...form.field('name')} />
      <FormError of={form.failure} />
      <FormButtons busy={form.busy} busyLabel="Saving..." onCancel={onDone}>
        Save
      </FormButtons>
    </form>
  );
}
