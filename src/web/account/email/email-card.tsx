import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentPassword, email } from '../../../contract/forms/credentials.ts';
import { refusalOf } from '../../api/api-error.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { forgetSession, type SessionUser } from '../../api/session.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useInlineForm } from '../../ui/use-inline-form.ts';
import { useSend } from '../../ui/use-send.ts';
import { EmailField } from '../../visitor/auth-fields.tsx';
import { EmailStatus } from './email-status.tsx';

export function EmailCard({ user }: { user: SessionUser }) {
  const form = useInlineForm();
  const { data } = useQuery(orpc.emailChange.get.queryOptions());
  const router = useRouter();
  const email = data?.email ?? user.email;
  useEffect(() => {
    if (email === user.email) return;
    // The link was followed elsewhere, so the cached session is out of date.
    forgetSession();
    void router.invalidate();
  }, [email, user.email, router]);

  if (form.isOpen) {
    return (
      <Card title="Email">
        <ChangeEmailForm onDone={form.close} />
      </Card>
    );
  }
  return (
    <Card title="Email">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0 wrap-anywhere font-medium">
          <EmailStatus user={{ ...user, email }} align="start" />
        </div>
        {data?.sends_email !== false && (
          <Button ref={form.button} variant="secondary" onClick={form.open}>
            Change Email
          </Button>
        )}
      </div>
      {data?.sends_email === false && (
        <p className="mt-4 text-ink-muted text-sm">
          The club can’t send email yet, so you can’t change it here. Write to{' '}
          <SupportLink subject="A new email" />.
        </p>
      )}
      {data?.pending && <Pending {...data.pending} />}
    </Card>
  );
}

function Pending({ new_email, expires_at }: { new_email: string; expires_at: string }) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const withdraw = () =>
    send(
      async () => {
        await api.emailChange.delete({});
        toast.success('Your email stays the same');
      },
      failureToast('We couldn’t withdraw the change', 'Please try again.'),
      () => client.invalidateQueries({ queryKey: orpc.emailChange.key() }),
    );
  return (
    <Notice
      title="Check your inbox"
      className="mt-5"
      action={
        <Button variant="secondary" size="sm" busy={busy} busyLabel="Withdrawing..." onClick={withdraw}>
          Keep My Email
        </Button>
      }
    >
      We sent a link to <span className="wrap-anywhere font-medium">{new_email}</span>. Your email changes
      when you follow it. It works until {formatDateTime(expires_at)}.
    </Notice>
  );
}

function ChangeEmailForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    fields: { email, password: currentPassword },
    onSubmit: async (input) => {
      const pending = await api.emailChange.create(input);
      client.setQueryData(orpc.emailChange.get.queryKey(), (change) => change && { ...change, pending });
      onDone();
    },
    onError: (error) => {
      const text = serverMessage(error) ?? 'Nothing was changed. Please try again.';
      if (refusalOf(error, 'WRONG_PASSWORD')) return { password: text };
      return refusalOf(error, 'EMAIL_UNCHANGED') ? { email: text } : text;
    },
  });
  return (
    <form {...form.props} aria-label="Change email" className="flex flex-col gap-5">
      <p className="text-ink-muted">
        We’ll send a link to the new email. When you follow it, your email changes and every other device is
        signed out.
      </p>
      <EmailField label="New Email" autoComplete="email" autoFocus {...form.field('email')} />
      <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
      <FormError of={form.failure} />
      <FormButtons busy={form.busy} busyLabel="Sending..." onCancel={onDone}>
        Send the Link
      </FormButtons>
    </form>
  );
}
