import type { FormEvent } from 'react';
import { useState } from 'react';
import { auth } from '../api/auth-client.ts';
import { Button } from '../ui/button.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { TextField } from '../ui/text-field.tsx';
import { authErrorText } from '../visitor/auth-error-text.ts';
import { FormError, useFormError } from '../visitor/form-error.tsx';

interface ScanStepProps {
  /** Of the factor that is set up. */
  id: string;
  /** The otpauth: URI with the secret. */
  uri: string;
  onDone: () => void;
  onCancel: () => void;
}

/** The secret as a code to scan and as text to type, and the first code from the app. */
export function TwoFactorScanStep({ id, uri, onDone, onCancel }: ScanStepProps) {
  const [busy, setBusy] = useState(false);
  const [problem, say] = useFormError();
  const secret = new URL(uri).searchParams.get('secret') ?? '';

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setBusy(true);
    try {
      await auth.verifyFactor({ id, code: String(new FormData(form).get('code')) });
      onDone();
    } catch (error) {
      say(authErrorText(error, 'The code could not be checked. Please try again.'));
      form.querySelector<HTMLInputElement>('[name=code]')?.select();
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <p>Scan this with an authenticator app, or type the key into it.</p>
      <div className="self-center rounded-md bg-white p-2">
        <QrCode text={uri} size={240} title="Code for your authenticator app" />
      </div>
      <p className="text-sm">
        Key: <span className="select-all break-all font-code">{secret.match(/.{1,4}/g)?.join(' ')}</span>
      </p>
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        hint="The six digits that the app shows now"
        autoFocus
        required
      />
      <FormError of={problem} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} busyLabel="Checking...">
          Turn On
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
