import { Link, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { SessionUser } from '../api/session.ts';
import { signIn } from '../api/session.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { toast } from '../ui/toast.ts';
import { authErrorText } from './auth-error-text.ts';
import { EmailField } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { landingFor } from './landing.ts';
import { returnProblem } from './oauth-return.ts';
import { passkeyErrorText, passkeysSupported, signInWithPasskey } from './passkey.ts';
import { ProviderButtons } from './provider-buttons.tsx';

interface LoginScreenProps {
  /** Where the visitor was going when the guard stopped them. */
  redirect?: string;
  /** Why the way through a provider did not work. */
  problem?: string;
}

export function LoginPage({ redirect, problem }: LoginScreenProps) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [unlocking, setUnlocking] = useState(false);

  const enter = async (user: SessionUser | null) => {
    if (!user?.role) throw new Error('The account has no role');
    toast.success('Welcome back!');
    await router.navigate({ href: landingFor(user, redirect), replace: true });
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const entered = new FormData(form);
    setBusy(true);
    try {
      const user = await signIn(String(entered.get('email')).trim(), String(entered.get('password')));
      if (user === 'second step') {
        await router.navigate({ to: '/two-factor', search: { redirect } });
        return;
      }
      await enter(user);
    } catch (error) {
      toast.error(authErrorText(error, 'Error signing in'));
      form.querySelector<HTMLInputElement>('[name=password]')?.select();
    } finally {
      setBusy(false);
    }
  };

  const unlock = async () => {
    setUnlocking(true);
    try {
      await enter(await signInWithPasskey());
    } catch (error) {
      toast.error(passkeyErrorText(error, 'Error signing in'));
    } finally {
      setUnlocking(false);
    }
  };

  return (
    <AuthLayout
      title="Sign in"
      heading={site.club_name}
      lead="Sign in to your account"
      otherwise={
        <>
          New here?{' '}
          <Link to="/register" search={{ redirect }} className="link">
            Create an account
          </Link>
        </>
      }
    >
      {problem && (
        <Notice tone="warning" role="alert" className="mb-5">
          {returnProblem(problem)}
        </Notice>
      )}
      <form onSubmit={submit} className="flex flex-col gap-5">
        <EmailField />
        <div className="flex flex-col gap-1">
          <PasswordField label="Password" name="password" autoComplete="current-password" required />
          <Link to="/forgot-password" className="link target inline-flex items-center self-end text-sm">
            Forgot password?
          </Link>
        </div>
        <Button type="submit" size="lg" block busy={busy} busyLabel="Signing in..." className="mt-1">
          Sign In
        </Button>
        {passkeysSupported() && (
          <Button variant="quiet" block busy={unlocking} busyLabel="Asking your device..." onClick={unlock}>
            Use a Passkey
          </Button>
        )}
      </form>
      <ProviderButtons redirect={redirect} />
    </AuthLayout>
  );
}
