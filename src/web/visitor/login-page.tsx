import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { currentPassword, email } from '../../contract/forms/credentials.ts';
import { authErrorText } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { takeJson } from '../api/document/take-json.ts';
import { COOKIES_BLOCKED, type SessionUser, sessionHasEnded, signIn, startSession } from '../api/session.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { toast } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { useOnReturn } from '../ui/use-on-return.ts';
import { useSend } from '../ui/use-send.ts';
import { EmailField } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { landingFor } from './landing.ts';
import { returnErrorText } from './oauth-return.ts';
import { passkeyErrorText, passkeysSupported, signInWithPasskey } from './passkey.ts';

/** Whether nobody had set the club up when this document was made. */
const awaitsSetup = takeJson<boolean>('awaits-setup') ?? false;

export default function LoginPage() {
  const { redirect, problem } = useSearch({ from: '/login' });
  const router = useRouter();
  const [askingDevice, setAskingDevice] = useState(false);

  const enter = async (user: SessionUser | null): Promise<void> => {
    if (!user) return form.fail(COOKIES_BLOCKED);
    toast.success('Welcome back!', { nextPage: true });
    await router.navigate({ href: landingFor(user, redirect), replace: true });
  };

  const form = useForm({
    fields: { email, password: currentPassword },
    onSubmit: async ({ email, password }) => {
      const user = await signIn(email, password);
      if (user === 'second step') {
        await router.navigate({ to: '/two-factor', search: { redirect } });
        return;
      }
      await enter(user);
    },
    onError: (error) => authErrorText(error, 'Error signing in'),
    retry: 'password',
  });

  const usePasskey = async () => {
    setAskingDevice(true);
    try {
      await enter(await signInWithPasskey());
    } catch (error) {
      toast.error(passkeyErrorText(error, 'Error signing in'), { of: error });
    } finally {
      setAskingDevice(false);
    }
  };

  return (
    <AuthLayout
      title="Sign in"
      heading={site.club_name}
      lead="Sign in to your account"
      footer={
        <>
          New here?{' '}
          <Link to="/register" search={{ redirect }} className="link">
            Create an account
          </Link>
        </>
      }
    >
      {awaitsSetup && (
        <Notice
          title="This club isn’t set up yet"
          className="mb-5"
          action={
            <LinkButton to="/setup" size="sm">
              Set Up the Club
            </LinkButton>
          }
        >
          You’ll need the code that the server printed when it started.
        </Notice>
      )}
      {sessionHasEnded() && (
        <Notice role="status" className="mb-5">
          Your session has ended. Please sign in again.
        </Notice>
      )}
      {problem && (
        <Notice tone="warning" role="alert" className="mb-5">
          {returnErrorText(problem)}
        </Notice>
      )}
      <form {...form.props} className="flex flex-col gap-5">
        <EmailField {...form.field('email')} />
        <div className="flex flex-col gap-1">
          <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
          <Link to="/forgot-password" className="link target inline-flex items-center self-end text-sm">
            Forgot password?
          </Link>
        </div>
        <FormError of={form.failure} />
        <Button type="submit" size="lg" block busy={form.busy} busyLabel="Signing in..." className="mt-1">
          Sign In
        </Button>
        {passkeysSupported() && (
          <Button
            variant="quiet"
            block
            busy={askingDevice}
            busyLabel="Waiting for your device..."
            onClick={usePasskey}
          >
            Use a Passkey
          </Button>
        )}
      </form>
      <ProviderButtons redirect={redirect} />
    </AuthLayout>
  );
}

function ProviderButtons({ redirect }: { redirect?: string }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { send } = useSend();
  useOnReturn(() => setChosen(null));
  if (site.providers.length === 0) return null;

  const goToProvider = (provider: string) => {
    setChosen(provider);
    return send(
      async () => {
        const { url } = await auth.signInWithProvider({ provider, redirect });
        startSession();
        window.location.assign(url);
      },
      (error) => {
        toast.error(authErrorText(error, 'Error signing in'), { of: error });
        setChosen(null);
      },
    );
  };

  return (
    <div className="mt-6 flex flex-col gap-3 border-line border-t pt-6">
      {site.providers.map(({ id, label }) => (
        <Button
          key={id}
          variant="secondary"
          size="lg"
          block
          busy={chosen === id}
          busyLabel={`Opening ${label}...`}
          disabled={chosen !== null && chosen !== id}
          onClick={() => void goToProvider(id)}
        >
          Continue with {label}
        </Button>
      ))}
    </div>
  );
}
