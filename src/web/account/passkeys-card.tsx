import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '../../contract/auth/passkeys.ts';
import { deviceName } from '../../domain/staff/device-name.ts';
import { ApiError } from '../api/api-error.ts';
import { api, orpc } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { Loaded } from '../ui/loaded.tsx';
import { toast } from '../ui/toast.ts';
import { passkeyErrorText, passkeysSupported } from '../visitor/passkey.ts';
import { addPasskey } from './add-passkey.ts';
import { PasskeyRow } from './passkey-row.tsx';
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
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRemove={async (password) => {
                await api.passkeys.delete({ id: passkey.id, password }).finally(reload);
                toast.success('Passkey removed', {
                  description: 'Your device may still offer it. You can delete it there too.',
                });
              }}
            />
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
