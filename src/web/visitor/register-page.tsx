import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import * as z from 'zod/mini';
import { email, newPassword } from '../../contract/forms/credentials.ts';
import { personName, phoneNumber } from '../../contract/forms/person.ts';
import { accountConsent } from '../../domain/consent.ts';
import { authErrorText, refusalOf } from '../api/api-error.ts';
import { openedLinks } from '../api/opened-link.ts';
import { COOKIES_BLOCKED, signUp } from '../api/session.ts';
import { site } from '../api/site.ts';
import { ConsentText } from '../brand/consent-text.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { EmailField, NewPasswordFields, newPasswordAlert } from './auth-fields.tsx';
import { AuthLayout, BackToSignIn } from './auth-layout.tsx';
import { CAPTCHA_MISSING, useCaptcha } from './captcha.tsx';

export default function RegisterPage() {
  const { redirect } = useSearch({ from: '/register' });
  const router = useRouter();
  const consentId = useId();
  const [words, setWords] = useState(() => accountConsent(site));
  const [sentTo, setSentTo] = useState<string | null>(null);
  const captcha = useCaptcha();

  const form = useForm({
    fields: {
      first_name: personName,
      last_name: personName,
      email,
      phone: z.optional(phoneNumber),
      password: newPassword,
    },
    extra: ['confirm_password'],
    values: { email: openedLinks().find(({ email }) => email)?.email ?? '' },
    alert: newPasswordAlert,
    onSubmit: async (input): Promise<void> => {
      if (captcha.isMissing) return form.fail(CAPTCHA_MISSING);
      const user = await signUp({
        ...input,
        ...(words && { consent_version: words.version }),
        captcha: captcha.solution,
      });
      if (!user && site.verify_email === 'required') return setSentTo(input.email);
      if (!user) return form.fail(`Your account was created. ${COOKIES_BLOCKED}`);
      toast.success('Account created successfully!', { nextPage: true });
      // The dashboard leads with the invitation or gift that brought the user.
      await router.navigate({ to: '/dashboard', replace: true });
    },
    onError: (error) => {
      captcha.renew();
      const refusal = refusalOf(error, 'CONSENT_OUTDATED');
      if (refusal) {
        setWords(refusal.data.current);
        return authErrorText(error, 'Error creating account');
      }
      toast.error(authErrorText(error, 'Error creating account'), { of: error });
      return undefined;
    },
  });

  if (sentTo) {
    return (
      <AuthLayout
        title="Confirm your email"
        heading="Check your inbox"
        lead="One step before you sign in"
        footer={<BackToSignIn redirect={redirect} />}
      >
        <p ref={(words) => words?.focus()} tabIndex={-1} className="outline-none">
          We sent an email to <strong className="wrap-anywhere">{sentTo}</strong>. Follow the link in it, then
          sign in.
        </p>
      </AuthLayout>
    );
  }

  return (
    <AuthLayout
      title="Create an account"
      heading={`Join ${site.club_name}`}
      lead="Create your account"
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" search={{ redirect }} className="link">
            Sign in
          </Link>
        </>
      }
    >
      <form {...form.props} className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
          <TextField label="First Name" autoComplete="given-name" {...form.field('first_name')} />
          <TextField label="Last Name" autoComplete="family-name" {...form.field('last_name')} />
        </div>
        <EmailField autoComplete="email" {...form.field('email')} />
        <TextField label="Phone" type="tel" autoComplete="tel" {...form.field('phone')} />
        <NewPasswordFields label="Password" field={form.field} />
        {captcha.widget}
        <FormError of={form.failure} />
        {words && <ConsentText words={words} id={consentId} />}
        <Button
          type="submit"
          size="lg"
          block
          busy={form.busy}
          busyLabel="Creating account..."
          aria-describedby={words ? consentId : undefined}
        >
          Create Account
        </Button>
      </form>
    </AuthLayout>
  );
}
