import { Link, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { auth } from '../api/auth-client.ts';
import { verifyCode } from '../api/factors.ts';
import { currentUser, forgetSession } from '../api/session.ts';
import { landingFor } from '../app/route-guards.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { authErrorText } from './auth-error-text.ts';
import { AuthLayout } from './auth-layout.tsx';
import { FormError, useFormError } from './form-error.tsx';

interface SecondStepScreenProps {
  /** Where the visitor was going before they were asked to sign in. */
  redirect?: string;
}

/** After the password: the code of the authenticator app, or a backup code. */
export function TwoFactorPage({ redirect }: SecondStepScreenProps) {
  const router = useRouter();
  const [backup, setBackup] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, say] = useFormError();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const entered = new FormData(form);
    setBusy(true);
    say('');
    try {
      const answer = { code: String(entered.get('code')), trust_device: entered.get('trust') === 'on' };
      if (backup) await auth.verifyBackupCode(answer);
      else await verifyCode(answer);
      forgetSession();
      const user = await currentUser();
      if (!user?.role) throw new Error('The account has no role');
      toast.success('Welcome back!');
      await router.navigate({ href: landingFor(user, redirect), replace: true });
    } catch (error) {
      say(authErrorText(error, 'The code could not be checked. Please try again.'));
      form.querySelector<HTMLInputElement>('[name=code]')?.select();
    } finally {
      setBusy(false);
    }
  };

  return (
    <AuthLayout
      title="Second step"
      heading="One more step"
      lead={backup ? 'Enter one of your backup codes' : 'Enter the code your authenticator app shows'}
      otherwise={
        <Link to="/login" search={{ redirect }} className="link">
          Back to sign in
        </Link>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        {backup ? (
          <TextField
            key="backup"
            label="Backup Code"
            name="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            hint="Each works once, for example aB3dE-fG7hJ"
            autoFocus
            required
          />
        ) : (
          <TextField
            key="totp"
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            hint="Six digits, new every 30 seconds"
            autoFocus
            required
          />
        )}
        <label className="target flex items-center gap-3">
          <input type="checkbox" name="trust" className="size-5 accent-accent" />
          <span>Do not ask on this device for 30 days</span>
        </label>
        <FormError of={problem} />
        <Button type="submit" size="lg" block busy={busy} busyLabel="Checking...">
          Continue
        </Button>
        <Button variant="quiet" block onClick={() => setBackup(!backup)}>
          {backup ? 'Use the App Instead' : 'Use a Backup Code'}
        </Button>
      </form>
    </AuthLayout>
  );
}
