import { type ReactNode, useState } from 'react';
import { newPassword } from '../../../contract/forms/credentials.ts';
import { authErrorText, refusalOf } from '../../api/api-error.ts';
import { auth } from '../../api/auth-client.ts';
import { forgetLeftToDo, keepLeftToDo, readLeftToDo } from '../../api/joining.ts';
import type { SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { NewPasswordFields, newPasswordAlert } from '../../visitor/auth-fields.tsx';

interface FinishJoiningProps {
  user: SessionUser;
  isMember: boolean;
  children: ReactNode;
}

/**
 * What is left to do for someone who joined from a tier on this device: one thing at a time, before the reminder in
 * `children`.
 */
export function FinishJoining({ user, isMember, children }: FinishJoiningProps) {
  const [left, setLeft] = useState(() => readLeftToDo(user.id));
  const toSurvey = () => {
    keepLeftToDo(user.id, 'survey');
    setLeft('survey');
  };
  const done = () => {
    forgetLeftToDo();
    setLeft(null);
  };
  if (left === 'password') return <ChoosePassword user={user} onChosen={toSurvey} />;
  // Until the membership begins, the answers belong to the application.
  if (left !== 'survey' || !isMember) return children;
  return (
    <Notice
      title="Tell us your taste"
      action={
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/account/taste" size="sm" variant="secondary" onClick={forgetLeftToDo}>
            Take the Survey
          </LinkButton>
          <Button size="sm" variant="quiet" onClick={done}>
            Not Now
          </Button>
        </div>
      }
    >
      Five questions, no wrong answers. We’ll know what to pour for you.
    </Notice>
  );
}

function ChoosePassword({ user, onChosen }: { user: SessionUser; onChosen: () => void }) {
  const form = useForm({
    fields: { password: newPassword },
    extra: ['confirm_password'],
    alert: newPasswordAlert,
    onSubmit: async ({ password }) => {
      await auth.choosePassword({ password });
      toast.success('Password saved', { description: 'With it, you can sign in on any device.' });
      onChosen();
    },
    onError: (error) => {
      // Chosen already, by the link in the email.
      if (refusalOf(error, 'PASSWORD_CHOSEN')) onChosen();
      return authErrorText(error, 'We couldn’t save the password. Please try again.');
    },
  });
  return (
    <Card title="Choose a Password">
      <form {...form.props} className="flex max-w-reading flex-col gap-5">
        <p className="wrap-anywhere text-ink-muted">
          You are signed in as <strong>{user.email}</strong> on this device only. A password lets you in
          everywhere else.
        </p>
        {/* Tells password managers whose password it is. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
          <NewPasswordFields label="Password" field={form.field} />
        </div>
        <FormError of={form.failure} />
        <Button type="submit" busy={form.busy} busyLabel="Saving..." className="sm:self-start">
          Save Password
        </Button>
      </form>
    </Card>
  );
}
