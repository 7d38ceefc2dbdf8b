import { Link } from '@tanstack/react-router';
import { auth } from '../api/auth-client.ts';
import { homeOf } from '../api/session.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { LinkUnread } from './links/link-unread.tsx';
import { type Outcome, useFollowedLink } from './links/use-followed-link.ts';

const leads: Record<Outcome | 'checking', string> = {
  checking: 'One moment',
  done: 'Thank you',
  invalid: 'This link does not work',
  taken: 'This email is in use',
  failed: 'Something went wrong',
};

/** `token` is empty if the page was opened without one. */
export function ChangeEmailPage({ token }: { token: string }) {
  const { state, user, retry } = useFollowedLink(token, auth.confirmEmailChange);
  const content = () => {
    switch (state) {
      case 'checking':
        return <SkeletonLines lines={2} />;
      case 'done':
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
              It was already used, has expired, or was replaced by a newer one. To ask for another, sign in
              and choose Change Email under Security.
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
        return <LinkUnread onRetry={retry} />;
    }
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
        {content()}
      </div>
    </AuthLayout>
  );
}
