import { useState } from 'react';
import { email as emailField } from '../../contract/forms/credentials.ts';
import { authErrorText } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { useForm } from '../ui/use-form.ts';
import { EmailField } from './auth-fields.tsx';
import { FollowedLinkPage } from './links/followed-link-page.tsx';
import { linkPage } from './links/link-page.tsx';
import { useFollowedLink } from './links/use-followed-link.ts';

const leads = {
  checking: 'One moment',
  press: 'One more step',
  done: 'Thank you',
  invalid: 'This link does not work',
  failed: 'Something went wrong',
};

function VerifyEmailPage({ token }: { token: string }) {
  const { state: outcome, user, retry, press } = useFollowedLink(token, auth.verifyEmail);
  const [sentTo, setSentTo] = useState<string | null>(null);
  // An old link is not an error if the email is already confirmed.
  const confirmed = outcome === 'done' || (outcome === 'invalid' && user?.email_verified);
  // No call that confirms an email finds it taken.
  const state = confirmed ? 'done' : outcome === 'taken' ? 'failed' : outcome;
  return (
    <FollowedLinkPage
      user={user}
      state={sentTo ? 'sent' : state}
      title="Confirm your email"
      lead={sentTo ? 'Check your inbox' : leads[state]}
      press={{
        text: 'Is this your email, and did you sign up here with it? If not, close this page: nothing changes.',
        label: 'Confirm Email',
        onPress: press,
      }}
      done="Your email is confirmed. You are all set."
      onRetry={retry}
    >
      {sentTo ? (
        <p>
          If <strong className="wrap-anywhere">{sentTo}</strong> belongs to an account and is not confirmed
          yet, a new link is on its way. It works for 24 hours.
        </p>
      ) : (
        <ResendForm email={user?.email} onSent={setSentTo} />
      )}
    </FollowedLinkPage>
  );
}

export default linkPage(VerifyEmailPage);

function ResendForm({ email, onSent }: { email: string | undefined; onSent: (email: string) => void }) {
  const form = useForm({
    fields: { email: emailField },
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
            to <strong className="wrap-anywhere">{email}</strong>
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
