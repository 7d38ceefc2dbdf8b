import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Passkey } from '../../contract/auth/auth.ts';
import { accessName } from '../../contract/forms/credentials.ts';
import { deviceName } from '../../domain/staff/device-name.ts';
import { ApiError } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { api, orpc, serverMessage } from '../api/client.ts';
import { dateOfInstant } from '../format/dates.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { FormError } from '../ui/form-error.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { base64url, described, passkeyErrorText, passkeysSupported } from '../visitor/passkey.ts';
import { PasswordStep } from './password-step.tsx';

export function PasskeysCard() {
  const query = useQuery(orpc.passkeys.list.queryOptions());
  return (
    <Card title="Passkeys">
      <Loaded query={query} failed="We couldn’t load your passkeys" lines={2}>
        {(list) => <Passkeys list={list} />}
      </Loaded>
    </Card>
  );
}

function Passkeys({ list }: { list: Passkey[] }) {
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const reload = () => client.invalidateQueries({ queryKey: orpc.passkeys.list.key() });
  const supported = passkeysSupported();

  const add = async (password: string) => {
    try {
      await addPasskey(password, deviceName(navigator.userAgent));
    } catch (error) {
      const text = passkeyErrorText(error, 'We couldn’t add the passkey. Please try again.');
      throw new ApiError(0, { message: text });
    }
    setAdding(false);
    toast.success('Passkey added', { description: 'You can now sign in with it.' });
    await reload();
  };

  return (
    <div className="flex flex-col gap-4">
      {list.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {list.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onChanged={reload} />
          ))}
        </ul>
      )}
      {adding ? (
        <PasswordStep label="Add Passkey" onCancel={() => setAdding(false)} onPassword={add}>
          <p>
            First, enter your password. Your device will then ask for its PIN, your face or your fingerprint.
          </p>
        </PasswordStep>
      ) : (
        <div
          className={classNames(
            'flex flex-wrap items-center justify-between gap-4',
            list.length > 0 && 'border-line border-t pt-5',
          )}
        >
          {(list.length === 0 || !supported) && (
            <p className="min-w-0 flex-1 basis-56 text-ink-muted">
              {supported
                ? 'Sign in by unlocking your device, without a password or a code.'
                : 'This browser does not support passkeys. Open this page in a newer browser to add one.'}
            </p>
          )}
          {supported && (
            <Button variant="secondary" onClick={() => setAdding(true)}>
              Add a Passkey
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function PasskeyRow({ passkey, onChanged }: { passkey: Passkey; onChanged: () => Promise<void> }) {
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
      await api.passkeys.delete({ id: passkey.id, password }).finally(onChanged);
    } catch (error) {
      throw new ApiError(0, { message: serverMessage(error) ?? '' });
    }
    toast.success('Passkey removed', {
      description: 'Your device may still offer it. You can delete it there too.',
    });
  };

  if (mode === 'remove') {
    return (
      <li className="py-4">
        <PasswordStep label="Remove" variant="danger" onCancel={finish} onPassword={remove}>
          <p>
            Remove <strong className="wrap-anywhere">{name}</strong>? You can still sign in with your
            password. Please enter it now.
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
        <p className="wrap-anywhere font-semibold">{name}</p>
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
    fields: { name: accessName },
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

async function addPasskey(password: string, name: string): Promise<void> {
  const options = await auth.createPasskeyOptions({ password });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  await auth.createPasskey({
    name,
    response: {
      ...described(credential),
      response: {
        clientDataJSON: base64url(response.clientDataJSON),
        attestationObject: base64url(response.attestationObject),
        transports: response.getTransports?.(),
      },
    },
  });
}
