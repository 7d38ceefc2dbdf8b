import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { backupCode, totpCode } from '../../contract/forms/credentials.ts';
import { authErrorText } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { verifyCode } from '../api/factors.ts';
import { COOKIES_BLOCKED, currentUser, startSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { AuthLayout, BackToSignIn } from './auth-layout.tsx';
import { landingFor } from './landing.ts';

export default function TwoFactorPage() {
  const { redirect } = useSearch({ from: '/two-factor' });
  const [backup, setBackup] = useState(false);
  return (
    <AuthLayout
      title="Second step"
      heading="One more step"
      lead={backup ? 'Enter one of your backup codes' : 'Enter the code from your authenticator app'}
      footer={<BackToSignIn redirect={redirect} />}
    >
      <CodeForm
        key={backup ? 'backup' : 'totp'}
        backup={backup}
        onSwitch={() => setBackup(!backup)}
        redirect={redirect}
      />
    </AuthLayout>
  );
}

interface CodeFormProps {
  redirect: string | undefined;
  backup: boolean;
  onSwitch: () => void;
}

function CodeForm({ backup, onSwitch, redirect }: CodeFormProps) {
  const router = useRouter();
  const [trust, setTrust] = useState(false);

  const form = useForm({
    fields: { code: backup ? backupCode : totpCode },
    onSubmit: async ({ code }): Promise<void> => {
      const answer = { code, trust_device: trust };
      if (backup) await auth.verifyBackupCode(answer);
      else await verifyCode(answer);
      startSession();
      const user = await currentUser();
      if (!user) return form.fail(COOKIES_BLOCKED);
      toast.success('Welcome back!', { nextPage: true });
      await router.navigate({ href: landingFor(user, redirect), replace: true });
    },
    onError: (error): string => {
      form.set('code', '');
      return authErrorText(error, 'We couldn’t check the code. Please try again.');
    },
    retry: 'code',
  });

  return (
    <form {...form.props} className="flex flex-col gap-5">
      {backup ? (
        <TextField
          label="Backup Code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Each code works once. Example: aB3dE-fG7hJ"
          autoFocus
          {...form.field('code')}
        />
      ) : (
        <TextField
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="Six digits, new every 30 seconds"
          autoFocus
          {...form.field('code')}
        />
      )}
      <label className="target flex items-center gap-3">
        <input
          type="checkbox"
          checked={trust}
          onChange={(event) => setTrust(event.target.checked)}
          className="size-5 accent-accent"
        />
        <span>Do not ask on this device for 30 days</span>
      </label>
      <FormError of={form.failure} />
      <Button type="submit" size="lg" block busy={form.busy} busyLabel="Checking...">
        Continue
      </Button>
      <Button variant="quiet" block onClick={onSwitch}>
        {backup ? 'Use the App Instead' : 'Use a Backup Code'}
      </Button>
    </form>
  );
}
