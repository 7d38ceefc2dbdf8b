import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isApiError } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { currentUser, forgetSession, homeOf, type SessionUser } from '../api/session.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { LinkUnread } from './links/link-unread.tsx';

type Outcome = 'changed' | 'invalid' | 'taken' | 'failed';

const leads: Record<Outcome | 'checking', string> = {
  checking: 'One moment',
  changed: 'Thank you',
  invalid: 'This link does not work',
  taken: 'This email is in use',
  failed: 'Something went wrong',
};

/** One call for each link, even if the page renders again: a second call would find the link used. */
const changes = new Map<string, Promise<Outcome>>();

function change(token: string): Promise<Outcome> {
  const known = changes.get(token);
  if (known) return known;
  const outcome = auth.confirmEmailChange({ token }).then(
    () => {
      forgetSession();
      return 'changed' as const;
    },
    (error) => {
      if (isApiError(error) && [400, 401].includes(error.status)) return 'invalid' as const;
      changes.delete(token);
      return isApiError(error) && error.status === 422 ? ('taken' as const) : ('failed' as const);
    },
  );
  changes.set(token, outcome);
  return outcome;
}

interface ChangeEmailPageProps {
  /** Comes from the link in the email; empty if the page was opened without one. */
  token: string;
}

export function ChangeEmailPage({ token }: ChangeEmailPageProps) {
  const [state, setState] = useState<Outcome | 'checking'>(token ? 'checking' : 'invalid');
  const [user, setUser] = useState<SessionUser | null>(null);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round tries again
  useEffect(() => {
    let left = false;
    const follow = async () => {
      const outcome = token ? await change(token) : 'invalid';
      const current = await currentUser().catch(() => null);
      if (left) return;
      setUser(current);
      setState(outcome);
    };
    void follow();
    return () => {
      left = true;
    };
  }, [token, round]);

  const tryAgain = () => {
    setState('checking');
    setRound(round + 1);
  };
  return (
    <AuthLayout
      title="Change Your Email"
      lead={leads[state]}
      footer={
        <Link to={user?.role ? homeOf(user) : '/login'} className="link">
          {user?.role ? 'Back to your dashboard' : 'Back to sign in'}
        </Link>
      }
    >
      <div
        key={state}
        ref={state === 'checking' ? undefined : (box) => box?.focus({ preventScroll: true })}
        tabIndex={-1}
        className="flex flex-col gap-5 outline-none"
      >
        <Words state={state} user={user} onRetry={tryAgain} />
      </div>
    </AuthLayout>
  );
}

interface WordsProps {
  state: Outcome | 'checking';
  user: SessionUser | null;
  onRetry: () => void;
}

function Words({ state, user, onRetry }: WordsProps) {
  switch (state) {
    case 'checking':
      return <SkeletonLines lines={2} />;
    case 'changed':
      return (
        <>
          <p>Your email was changed. From now on, sign in with the new one.</p>
          <LinkButton to={user?.role ? homeOf(user) : '/login'} size="lg" block>
            {user?.role ? 'Continue' : 'Sign In'}
          </LinkButton>
        </>
      );
    case 'invalid':
      return (
        <>
          <p>
            It was already used, has expired, or was replaced by a newer one. To ask for another, sign in and
            choose Change Email under Security.
          </p>
          <p className="text-ink-muted text-sm">
            Nothing works? Write to <SupportLink />.
          </p>
        </>
      );
    case 'taken':
      return (
        <p>
          Another account has this email now, so we couldn’t change yours. Sign in to that one, or choose
          another email.
        </p>
      );
    case 'failed':
      return <LinkUnread onRetry={onRetry} />;
  }
}
