import { totpCode } from '../../contract/forms/credentials.ts';
import { authErrorText } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { FormError } from '../ui/form-error.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useForm } from '../ui/use-form.ts';

interface TwoFactorScanStepProps {
  id: string;
  /** The otpauth: URI with the secret. */
  uri: string;
  onDone: () => void;
  onCancel: () => void;
}

export function TwoFactorScanStep({ id, uri, onDone, onCancel }: TwoFactorScanStepProps) {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const form = useForm({
    fields: { code: totpCode },
    onSubmit: async ({ code }) => {
      await auth.verifyFactor({ id, code });
      onDone();
    },
    onError: (error): string => {
      form.set('code', '');
      return authErrorText(error, 'We couldn’t check the code. Please try again.');
    },
    retry: 'code',
  });

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <p>Scan this with an authenticator app, or type the key into it.</p>
      <div className="self-center rounded-md bg-white p-2">
        <QrCode text={uri} size={240} title="QR code for your authenticator app" />
      </div>
      <p className="text-sm">
        Key: <span className="select-all break-all font-code">{secret.match(/.{1,4}/g)?.join(' ')}</span>
      </p>
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="The six digits the app is showing"
        autoFocus
        {...form.field('code')}
      />
      <FormError of={form.failure} />
      <FormButtons busy={form.busy} busyLabel="Checking..." onCancel={onCancel}>
        Turn On
      </FormButtons>
    </form>
  );
}
