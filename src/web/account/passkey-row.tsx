import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Passkey } from '../../contract/passkeys.ts';
import { ApiError } from '../api/api-error.ts';
import { orpc, serverMessage } from '../api/client.ts';
import { dateOfInstant } from '../format/dates.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { TwoFactorPasswordStep } from './two-factor-password-step.tsx';

interface PasskeyRowProps {
  passkey: Passkey;
  /** Rejects when it was not removed. */
  onRemove: (password: string) => Promise<void>;
}

/** One passkey: when it came and was used, and the ways to rename and remove it. */
export function PasskeyRow({ passkey, onRemove }: PasskeyRowProps) {
  const client = useQueryClient();
  const [doing, setDoing] = useState<'rename' | 'remove' | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { name, created_at, last_used_at } = passkey;

  // The buttons are not there meanwhile; whoever leaves by keyboard goes on from them.
  const finish = () => {
    flushSync(() => setDoing(null));
    opener.current?.focus();
  };

  const renaming = useMutation(
    orpc.passkeys.rename.mutationOptions({
      onSuccess: (renamed) => {
        client.setQueryData(orpc.passkeys.list.queryKey(), (list) =>
          list?.map((it) => (it.id === renamed.id ? renamed : it)),
        );
        finish();
      },
      onError: (error) =>
        toast.error(serverMessage(error) ?? 'The name could not be saved. Please try again.'),
    }),
  );

  const rename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = String(new FormData(event.currentTarget).get('name')).trim();
    if (chosen && !renaming.isPending) renaming.mutate({ id: passkey.id, name: chosen });
  };

  const remove = async (password: string) => {
    try {
      await onRemove(password);
    } catch (error) {
      throw new ApiError(0, { message: serverMessage(error) ?? '' });
    }
  };

  if (doing === 'remove') {
    return (
      <li className="py-4">
        <TwoFactorPasswordStep label="Remove" variant="danger" onCancel={finish} onPassword={remove}>
          <p>
            Remove <strong className="break-words">{name}</strong>? It signs in no more. You can still sign in
            with your password, which we ask for now.
          </p>
        </TwoFactorPasswordStep>
      </li>
    );
  }
  if (doing === 'rename') {
    return (
      <li className="py-4">
        <form onSubmit={rename} className="flex flex-col gap-5">
          <TextField label="Name" name="name" defaultValue={name} maxLength={60} autoFocus required />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={renaming.isPending} busyLabel="Saving...">
              Save
            </Button>
            <Button variant="secondary" disabled={renaming.isPending} onClick={finish}>
              Cancel
            </Button>
          </div>
        </form>
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
          ref={opener}
          variant="quiet"
          size="sm"
          aria-label={`Rename ${name}`}
          onClick={() => setDoing('rename')}
        >
          Rename
        </Button>
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Remove ${name}`}
          onClick={() => setDoing('remove')}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}
