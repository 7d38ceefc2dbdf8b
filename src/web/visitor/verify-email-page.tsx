import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useEffect, useState } from 'react';
import { isApiError } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { currentUser, forgetSession, homeOf, type SessionUser } from '../api/session.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { authErrorText } from './auth-error-text.ts';
import { EmailField } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { FormError, useFormError } from './form-error.tsx';

type State = 'asking' | 'confirmed' | 'spent' | 'failed' | { sentTo: string };

const leads: Record<Exclude<State, object>, string> = {
  asking: 'One moment',
  confirmed: 'Thank you',
  spent: 'This link cannot be used',
  failed: 'That did not work',
};

/** Asked once for each link, however often the page is drawn. */
const answers = new Map<string, Promise<'confirmed' | 'spent'>>();

function confirm(token: string): Promise<'confirmed' | 'spent'> {
  const asked =
    answers.get(token) ??
    auth.verifyEmail({ token }).then(
      () => {
        forgetSession();
        return 'confirmed' as const;
      },
      (error) => {
        answers.delete(token);
        if (isApiError(error) && [400, 401].includes(error.status)) return 'spent' as const;
        throw error;
      },
    );
  answers.set(token, asked);
  return asked;
}

interface VerifyEmailScreenProps {
  /** From the mail's link; empty when somebody came without one. */
  token: string;
}

export function VerifyEmailPage({ token }: VerifyEmailScreenProps) {
  const [state, setState] = useState<State>(token ? 'asking' : 'spent');
  const [user, setUser] = useState<SessionUser | null>(null);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    let gone = false;
    const settle = async () => {
      const outcome = token ? await confirm(token).catch(() => 'failed' as const) : 'spent';
      const person = await currentUser().catch(() => null);
      if (gone) return;
      setUser(person);
      // A link from before, of an address that is confirmed by now, is no bad news.
      setState(outcome === 'spent' && person?.email_verified ? 'confirmed' : outcome);
    };
    void settle();
    return () => {
      gone = true;
    };
  }, [token, round]);

  const sent = typeof state === 'object';
  return (
    <AuthLayout
      title="Your mail address"
      heading="Your mail address"
      lead={sent ? 'Look into your mail' : leads[state]}
      otherwise={
        user?.role ? (
          <Link to={homeOf(user)} className="link">
            Back to your dashboard
          </Link>
        ) : (
          <Link to="/login" className="link">
            Back to sign in
          </Link>
        )
      }
    >
      <div
        key={sent ? 'sent' : state}
        ref={state === 'asking' ? undefined : (box) => box?.focus()}
        tabIndex={-1}
        className="outline-none"
      >
        {sent ? (
          <p>
            If <strong className="break-words">{state.sentTo}</strong> belongs to an account and is not
            confirmed yet, a new link is on its way. It works for 24 hours.
          </p>
        ) : state === 'asking' ? (
          <SkeletonLines lines={2} />
        ) : state === 'confirmed' ? (
          <div className="flex flex-col gap-5">
            <p>Your mail address is confirmed. There is nothing more to do.</p>
            {user?.role ? (
              <LinkButton to={homeOf(user)} size="lg" block>
                Continue
              </LinkButton>
            ) : (
              <LinkButton to="/login" size="lg" block>
                Sign In
              </LinkButton>
            )}
          </div>
        ) : state === 'failed' ? (
          <div className="flex flex-col gap-5">
            <p>We could not be reached. Your link is still good.</p>
            <Button
              size="lg"
              block
              onClick={() => {
                setState('asking');
                setRound(round + 1);
              }}
            >
              Try Again
            </Button>
          </div>
        ) : (
          <NewLink email={user?.email} onSent={(sentTo) => setState({ sentTo })} />
        )}
      </div>
    </AuthLayout>
  );
}

interface NewLinkProps {
  /** The signed-in person's; nobody else's can be asked for then. */
  email: string | undefined;
  onSent: (email: string) => void;
}

function NewLink({ email, onSent }: NewLinkProps) {
  const [busy, setBusy] = useState(false);
  const [problem, say] = useFormError();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const to = email ?? String(new FormData(event.currentTarget).get('email')).trim();
    setBusy(true);
    try {
      await auth.resendVerification({ email: to });
      onSent(to);
    } catch (error) {
      say(authErrorText(error, 'The mail could not be sent. Please try again.'));
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <p>
        The link is older than 24 hours, or not complete. We gladly send you a new one
        {email ? (
          <>
            {' '}
            to <strong className="break-words">{email}</strong>
          </>
        ) : null}
        .
      </p>
      {!email && <EmailField />}
      <FormError of={problem} />
      <Button type="submit" size="lg" block busy={busy} busyLabel="Sending...">
        Send a New Link
      </Button>
      <p className="text-ink-muted text-sm">
        Does it not arrive? Write to <SupportLink />.
      </p>
    </form>
  );
}
