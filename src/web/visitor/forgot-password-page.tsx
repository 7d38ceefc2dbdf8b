import { useState } from 'react';
import { email } from '../../contract/forms/credentials.ts';
import { authErrorText } from '../api/api-error.ts';
import { auth } from '../api/auth-client.ts';
import { SupportLink } from '../brand/support-link.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { useForm } from '../ui/use-form.ts';
import { EmailField } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { CAPTCHA_MISSING, useCaptcha } from './captcha.tsx';

export default function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const captcha = useCaptcha();

  const form = useForm({
    fields: { email },
    onSubmit: async ({ email }): Promise<void> => {
      if (captcha.isMissing) return form.fail(CAPTCHA_MISSING);
      await auth.recover({ email, captcha: captcha.solution });
      setSentTo(email);
    },
    onError: (error) => {
      captcha.renew();
      return authErrorText(error, 'We couldn’t send the email. Please try again.');
    },
  });

  return (
    <AuthLayout
      title="Forgot password"
      heading="Forgot password?"
      lead={sentTo ? 'Check your inbox' : 'We will email you a link to choose a new one'}
    >
      {sentTo ? (
        <div ref={(text) => text?.focus()} tabIndex={-1} className="flex flex-col gap-4 outline-none">
          <p>
            If <strong className="wrap-anywhere">{sentTo}</strong> belongs to an account, an email with a link
            is on its way. The link works once, within 30 minutes.
          </p>
          <p className="text-ink-muted text-sm">
            Nothing after a few minutes? Check your spam folder, or write to <SupportLink />.
          </p>
          <Button variant="secondary" block onClick={() => setSentTo(null)}>
            Use Another Email
          </Button>
        </div>
      ) : (
        <form {...form.props} className="flex flex-col gap-5">
          <EmailField {...form.field('email')} />
          {captcha.widget}
          <FormError of={form.failure} />
          <Button type="submit" size="lg" block busy={form.busy} busyLabel="Sending...">
            Send Link
          </Button>
        </form>
      )}
    </AuthLayout>
  );
}
