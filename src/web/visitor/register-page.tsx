import { Link, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { signUp } from '../api/session.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { authErrorText } from './auth-error-text.ts';
import { NewPasswordFields } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { FormError, useFormError } from './form-error.tsx';
import { passwordError } from './password-rules.ts';

interface RegisterScreenProps {
  redirect?: string;
}

export function RegisterPage({ redirect }: RegisterScreenProps) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [problem, say] = useFormError();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const entered = new FormData(form);
    const text = (name: string) => String(entered.get(name) ?? '');
    const found = passwordError(text('password'), text('confirm_password'));
    say(found?.text ?? '');
    if (found) {
      form.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
      return;
    }
    setBusy(true);
    try {
      const user = await signUp({
        first_name: text('first_name').trim(),
        last_name: text('last_name').trim(),
        email: text('email').trim(),
        phone: text('phone').trim() || undefined,
        password: text('password'),
      });
      if (!user && site.verify_email === 'required') return setSentTo(text('email').trim());
      toast.success('Account created successfully!');
      await router.navigate({ to: user ? '/dashboard' : '/login', replace: true });
    } catch (error) {
      toast.error(authErrorText(error, 'Error creating account'));
    } finally {
      setBusy(false);
    }
  };

  if (sentTo) {
    return (
      <AuthLayout
        title="Confirm your mail address"
        heading="Look into your mail"
        lead="One step before you sign in"
        otherwise={
          <Link to="/login" search={{ redirect }} className="link">
            Back to sign in
          </Link>
        }
      >
        <p ref={(words) => words?.focus()} tabIndex={-1} className="outline-none">
          We have written to <strong className="break-words">{sentTo}</strong>. Follow the link in that mail,
          then sign in.
        </p>
      </AuthLayout>
    );
  }

  return (
    <AuthLayout
      title="Create an account"
      heading={`Join ${site.club_name}`}
      lead="Create your account"
      otherwise={
        <>
          Already have an account?{' '}
          <Link to="/login" search={{ redirect }} className="link">
            Sign in
          </Link>
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
          <TextField
            label="First Name"
            name="first_name"
            autoComplete="given-name"
            required
            maxLength={100}
          />
          <TextField label="Last Name" name="last_name" autoComplete="family-name" required maxLength={100} />
        </div>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextField label="Phone" name="phone" type="tel" autoComplete="tel" optional maxLength={40} />
        <NewPasswordFields label="Password" />
        <FormError of={problem} />
        <Button type="submit" size="lg" block busy={busy} busyLabel="Creating account..." className="mt-1">
          Create Account
        </Button>
      </form>
    </AuthLayout>
  );
}
