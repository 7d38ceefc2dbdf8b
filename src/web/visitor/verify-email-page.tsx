import formRules from 'virtual:form-rules';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isApiError } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { currentUser, forgetSession, homeOf, type SessionUser } from '../api/session.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { useForm } from '../ui/use-form.ts';
import { authErrorText } from './auth-error-text.ts';
import { EmailField } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { LinkUnread } from './links/link-unread.tsx';

type State = 'checking' | 'confirmed' | 'invalid' | 'failed' | { sentTo: string };

const leads: Record<Exclude<State, object>, string> = {
  checking: 'One moment',
  confirmed: 'Thank you',
  invalid: 'This link does not work',
  failed: 'Something went wrong',
};

/** One call for each link, even if the page renders again. */
const confirmations = new Map<string, Promise<'confirmed' | 'invalid'>>();

function confirm(token: string): Promise<'confirmed' | 'invalid'> {
  const confirmation =
    confirmations.get(token) ??
    auth.verifyEmail({ token }).then(
      () => {
        forgetSession();
        return 'confirmed' as const;
      },
      (error) => {
        confirmations.delete(token);
        if (isApiError(error) && [400, 401].includes(error.status)) return 'invalid' as const;
        throw error;
      },
    );
  confirmations.set(token, confirmation);
  return confirmation;
}

interface VerifyEmailPageProps {
  /** Comes from the link in the email; empty if the page was opened without one. */
  token: string;
}

export function VerifyEmailPage({ token }: VerifyEmailPageProps) {
  const [state, setState] = useState<State>(token ? 'checking' : 'invalid');
  const [user, setUser] = useState<SessionUser | null>(null);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round tries again
  useEffect(() => {
    let left = false;
    const check = async () => {
      const outcome = token ? await confirm(token).catch(() => 'failed' as const) : 'invalid';
      const current = await currentUser().catch(() => null);
      if (left) return;
      setUser(current);
      // An old link is not an error if the email is already confirmed.
      setState(outcome === 'invalid' && current?.email_verified ? 'confirmed' : outcome);
    };
    void check();
    return () => {
      left = true;
    };
  }, [token, round]);

  const sent = typeof state === 'object';
  return (
    <AuthLayout
      title="Confirm your email"
      lead={sent ? 'Check your inbox' : leads[state]}
      footer={
        <Link to={user?.role ? homeOf(user) : '/login'} className="link">
          {user?.role ? 'Back to your dashboard' : 'Back to sign in'}
        </Link>
      }
    >
      <div
        key={sent ? 'sent' : state}
        ref={state === 'checking' ? undefined : (box) => box?.focus()}
        tabIndex={-1}
        className="outline-none"
      >
        {sent ? (
          <p>
            If <strong className="break-words">{state.sentTo}</strong> belongs to an account and is not
            confirmed yet, a new link is on its way. It works for 24 hours.
          </p>
        ) : state === 'checking' ? (
          <SkeletonLines lines={2} />
        ) : state === 'confirmed' ? (
          <div className="flex flex-col gap-5">
            <p>Your email is confirmed. You are all set.</p>
            <LinkButton to={user?.role ? homeOf(user) : '/login'} size="lg" block>
              {user?.role ? 'Continue' : 'Sign In'}
            </LinkButton>
          </div>
        ) : state === 'failed' ? (
          <LinkUnread
            onRetry={() => {
              setState('checking');
              setRound(round + 1);
            }}
          />
        ) : (
          <ResendForm email={user?.email} onSent={(sentTo) => setState({ sentTo })} />
        )}
      </div>
    </AuthLayout>
  );
}

interface ResendFormProps {
  /** The signed-in user's email, the only one they can request another link for. */
  email: string | undefined;
  onSent: (email: string) => void;
}

function ResendForm({ email, onSent }: ResendFormProps) {
  const form = useForm({
    rules: formRules.resendVerification,
    values: { email },
    onSubmit: async ({ email: to }) => {
      await auth.resendVerification({ email: to });
      onSent(to);
    },
    onError: (error) => authErrorText(error, 'We couldn’t send the email. Please try again.'),
  });

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <p>
        The link is older than 24 hours, or incomplete. We can send a new one
        {email ? (
          <>
            {' '}
            to <strong className="break-words">{email}</strong>
          </>
        ) : null}
        .
      </p>
      {!email && <EmailField {...form.field('email')} />}
      <FormError of={form.failure} />
      <Button type="submit" size="lg" block busy={form.busy} busyLabel="Sending...">
        Send a New Link
      </Button>
      <p className="text-ink-muted text-sm">
        Nothing in your inbox? Write to <SupportLink />.
      </p>
    </form>
  );
}
