import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { auth } from '../api/auth-client.ts';
import { site } from '../api/site.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Button } from '../ui/button.tsx';
import { authErrorText } from './auth-error-text.ts';
import { EmailField } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { Captcha } from './captcha.tsx';
import { FormError, useFormError } from './form-error.tsx';

export function ForgotPasswordPage() {
  const [busy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [problem, say] = useFormError();
  const [solution, setSolution] = useState<string | null>(null);
  const [round, setRound] = useState(0);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    if (site.captcha && !solution) return say('Please complete the check below first.');
    say('');
    setBusy(true);
    try {
      await auth.recover({ email, captcha: solution ?? undefined });
      setSentTo(email);
    } catch (error) {
      setSolution(null);
      setRound(round + 1);
      say(authErrorText(error, 'The mail could not be sent. Please try again.'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <AuthLayout
      title="Forgot password"
      heading="Forgot password?"
      lead={sentTo ? 'Look into your mail' : 'We send you a link to choose a new one'}
      otherwise={
        <Link to="/login" className="link">
          Back to sign in
        </Link>
      }
    >
      {sentTo ? (
        <div ref={(text) => text?.focus()} tabIndex={-1} className="flex flex-col gap-4 outline-none">
          <p>
            If <strong className="break-words">{sentTo}</strong> belongs to an account, a mail with a link is
            on its way. The link works once, for 30 minutes.
          </p>
          <p className="text-ink-muted text-sm">
            Nothing after some minutes? Look among the unwanted mail, or write to <SupportLink />.
          </p>
          <Button variant="secondary" block onClick={() => setSentTo(null)}>
            Use Another Address
          </Button>
        </div>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-5">
          <EmailField />
          <Captcha key={`round ${round}`} onSolution={setSolution} />
          <FormError of={problem} />
          <Button type="submit" size="lg" block busy={busy} busyLabel="Sending...">
            Send Link
          </Button>
        </form>
      )}
    </AuthLayout>
  );
}
