import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { currentPassword, newPassword } from '../../contract/forms/credentials.ts';
import { personName } from '../../contract/forms/person.ts';
import { authErrorText } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import { forgetSignedIn } from '../api/session.ts';
import { signOut } from '../api/sign-out.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { NewPasswordFields, newPasswordAlert } from './auth-fields.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { linkPage } from './links/link-page.tsx';
import { LinkUnread } from './links/link-unread.tsx';
import { useLink } from './links/use-link.ts';

type Invited = Awaited<ReturnType<typeof api.team.readInvitation>>;

const WORDS: Record<Invited['needs'], string> = {
  'name and password': 'Tell us your name and choose a password.',
  password:
    'Someone created an account with this email and never confirmed it. Choose a new password: the old one and every other way to sign in will stop working.',
  'own password':
    'You have an account with this email. Enter its password: it becomes a staff account with the same password, and is signed out everywhere.',
};

const TAKEN =
  'Choose a new password for the account with this email. The old one, two-step sign-in, passkeys, programs and every other way to sign in will stop working.';

/** The call takes those that are shown. */
const FIELDS = {
  first_name: personName,
  last_name: personName,
  password: newPassword,
  own_password: currentPassword,
};

function InvitationPage({ token }: { token: string }) {
  const { state, retry } = useLink<Invited>(token, (signal) =>
    api.team.readInvitation({ token }, { signal }),
  );

  return (
    <AuthLayout
      title="Invitation"
      heading="Join the Staff"
      lead={state === 'invalid' ? 'This link does not work' : site.club_name}
    >
      {state === 'reading' ? (
        <SkeletonLines lines={4} />
      ) : state === 'invalid' ? (
        <p>
          This link was already used or withdrawn, is older than three days, or is incomplete. Ask the person
          who invited you for a new one.
        </p>
      ) : state === 'failed' ? (
        <LinkUnread onRetry={retry} />
      ) : (
        <Accept token={token} invited={state} />
      )}
    </AuthLayout>
  );
}

export default linkPage(InvitationPage);

function Accept({ token, invited }: { token: string; invited: Invited }) {
  const [isReplacing, setReplacing] = useState(false);
  const form = { token, invited, isReplacing, onReplace: () => setReplacing(true) };
  return <AcceptForm key={String(isReplacing)} {...form} />;
}

interface AcceptFormProps {
  token: string;
  invited: Invited;
  /** A new password instead of the account's own. */
  isReplacing: boolean;
  onReplace: () => void;
}

function AcceptForm({ token, invited: { email, needs }, isReplacing, onReplace }: AcceptFormProps) {
  const router = useRouter();
  const proves = needs === 'own password' && !isReplacing;
  const form = useForm({
    fields: FIELDS,
    extra: ['confirm_password'],
    alert: (values, errors) => (proves ? null : newPasswordAlert(values, errors)),
    onSubmit: async (input) => {
      await api.team.acceptInvitation({ ...input, token });
      // Ends any other session here, of another account or of this one as a member.
      await signOut().catch(forgetSignedIn);
      toast.success('You are on the team. Please sign in.', { nextPage: true });
      await router.navigate({ to: '/login', replace: true });
    },
    onError: (error) => authErrorText(error, 'Something went wrong. Please try again.'),
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <p>
        <strong className="wrap-anywhere">{email}</strong>: {isReplacing ? TAKEN : WORDS[needs]}
      </p>
      {needs === 'name and password' && (
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
          <TextField label="First Name" autoComplete="given-name" {...form.field('first_name')} />
          <TextField label="Last Name" autoComplete="family-name" {...form.field('last_name')} />
        </div>
      )}
      {proves ? (
        <PasswordField
          label="Password"
          autoComplete="current-password"
          {...form.field('own_password')}
          required
        />
      ) : (
        <NewPasswordFields label="Password" field={form.field} />
      )}
      <FormError of={form.failure} />
      <Button type="submit" size="lg" block busy={form.busy} busyLabel="Accepting...">
        Accept
      </Button>
      {proves && (
        <Button variant="secondary" block onClick={onReplace}>
          I Don’t Know the Password
        </Button>
      )}
    </form>
  );
}
