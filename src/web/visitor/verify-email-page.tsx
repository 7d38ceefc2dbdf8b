import formRules from 'virtual:form-rules';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { authErrorText } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { homeOf } from '../api/session.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { useForm } from '../ui/use-form.ts';
import { EmailField } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { LinkUnread } from './links/link-unread.tsx';
import { useFollowedLink } from './links/use-followed-link.ts';

const leads = {
  checking: 'One moment',
  done: 'Thank you',
  invalid: 'This link does not work',
  failed: 'Something went wrong',
};

/** `token` is empty if the page was opened without one. */
export function VerifyEmailPage({ token }: { token: string }) {
  const { state: outcome, user, retry } = useFollowedLink(token, auth.verifyEmail);
  const [sentTo, setSentTo] = useState<string | null>(null);
  // An old link is not an error if the email is already confirmed.
  const confirmed = outcome === 'done' || (outcome === 'invalid' && user?.email_verified);
  // No call that confirms an email finds it taken.
  const state = confirmed ? 'done' : outcome === 'taken' ? 'failed' : outcome;
  return (
    <AuthLayout
      title="Confirm your email"
      lead={sentTo ? 'Check your inbox' : leads[state]}
      footer={
        <Link to={user?.role ? homeOf(user) : '/login'} className="link">
          {user?.role ? 'Back to your dashboard' : 'Back to sign in'}
        </Link>
      }
    >
      <div
        key={sentTo ? 'sent' : state}
        ref={state === 'checking' ? undefined : (box) => box?.focus()}
        tabIndex={-1}
        className="outline-none"
      >
        {sentTo ? (
          <p>
            If <strong className="break-words">{sentTo}</strong> belongs to an account and is not confirmed
            yet, a new link is on its way. It works for 24 hours.
          </p>
        ) : state === 'checking' ? (
          <SkeletonLines lines={2} />
        ) : state === 'done' ? (
          <div className="flex flex-col gap-5">
            <p>Your email is confirmed. You are all set.</p>
            <LinkButton to={user?.role ? homeOf(user) : '/login'} size="lg" block>
              {user?.role ? 'Continue' : 'Sign In'}
            </LinkButton>
          </div>
        ) : state === 'failed' ? (
          <LinkUnread onRetry={retry} />
        ) : (
          <ResendForm email={user?.email} onSent={setSentTo} />
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
