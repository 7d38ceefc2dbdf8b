import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { email } from '../../../contract/forms/credentials.ts';
import type { MemberAccount } from '../../../contract/staff/member-account.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useLogged } from '../../ui/use-logged.ts';
import { useSend } from '../../ui/use-send.ts';
import { type RefusedEmail, refusedEmailText } from '../notices/refused-email-text.ts';
import { SettleButton } from '../notices/settle-button.tsx';
import { formatDateTime } from '../venue-dates.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { type AccountDialogProps, EditNamesDialog } from './edit-names-dialog.tsx';
import { EmailsDialog, showNotSent } from './emails-dialog.tsx';
import { useKeepAccount, useReadAgain } from './use-keep-account.ts';

const PERSONAL_EMAILS = { true: 'Agreed', false: 'Turned off', null: 'Not agreed yet' };

interface AccountCardProps {
  customerId: string;
  userId: string;
}

export function AccountCard({ customerId, userId }: AccountCardProps) {
  const query = useQuery(orpc.memberAccount.get.queryOptions({ input: { customer_id: customerId } }));
  return (
    <Loaded query={query} action="Loading the account" card="Account" lines={3}>
      {(account) => <Account {...{ customerId, userId, account }} />}
    </Loaded>
  );
}

function Account({ customerId, userId, account }: AccountCardProps & { account: MemberAccount }) {
  const [editing, setEditing] = useState<'names' | 'email' | 'resend' | 'delete' | null>(null);
  const close = () => setEditing(null);
  return (
    <Card title="Account">
      <DescriptionList
        items={[
          { term: 'Name', detail: `${account.first_name} ${account.last_name}` },
          { term: 'Phone', detail: account.phone ?? 'None' },
          { term: 'Email', detail: <Email account={account} /> },
          { term: 'Personal emails', detail: PERSONAL_EMAILS[`${account.personal_emails}`] },
        ]}
      />
      <RefusedEmails userId={userId} />
      {account.pending_email && <PendingEmail customerId={customerId} {...account.pending_email} />}
      {account.access_email && !account.of_staff && (
        <AccessEmailRow customerId={customerId} email={account.access_email} />
      )}
      {account.of_staff ? (
        <p className="mt-4 text-ink-muted text-sm">
          This is someone on your team. They change their name and email themselves, under Account.
        </p>
      ) : (
        <div className="mt-4 flex flex-wrap gap-3">
          <Button variant="secondary" size="sm" onClick={() => setEditing('names')}>
            Edit Name and Phone
          </Button>
          <Button variant="secondary" size="sm" onClick={() => setEditing('email')}>
            Change Email
          </Button>
          {account.sends_email && (
            <Button variant="secondary" size="sm" onClick={() => setEditing('resend')}>
              Resend an Email
            </Button>
          )}
          <Button variant="quiet" size="sm" onClick={() => setEditing('delete')}>
            Delete the Account
          </Button>
        </div>
      )}
      {editing === 'names' && <EditNamesDialog {...{ customerId, account }} onClose={close} />}
      {editing === 'resend' && <EmailsDialog customerId={customerId} onClose={close} />}
      {editing === 'delete' && <DeleteAccountDialog {...{ customerId, account }} onClose={close} />}
      {editing === 'email' && <ChangeMemberEmailDialog {...{ customerId, account }} onClose={close} />}
    </Card>
  );
}

/** The notices of the dashboard about emails to this member that their mail server refused. */
function RefusedEmails({ userId }: { userId: string }) {
  const { data: notices = [], error } = useQuery(orpc.staffNotices.list.queryOptions());
  useLogged('Loading staff notices', error);
  const refusals = notices.filter(
    (it): it is RefusedEmail => it.kind === 'email_refused' && it.member?.user_id === userId && !it.settled,
  );
  return refusals.map((notice) => {
    const happened = refusedEmailText(notice);
    return (
      <Notice
        key={notice.id}
        tone="warning"
        title="This address doesn’t get our emails"
        className="mt-4"
        action={<SettleButton id={notice.id} settled={false} about={happened} />}
      >
        {happened} Ask for the right address, then press Change Email.
      </Notice>
    );
  });
}

function Email({ account: { email, email_confirmed } }: { account: MemberAccount }) {
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <span className="min-w-0 break-all">{email}</span>
      <Badge tone={email_confirmed ? 'positive' : 'neutral'}>
        {email_confirmed ? 'Confirmed' : 'Not confirmed'}
      </Badge>
    </span>
  );
}

const ACCESS_EMAIL_TEXTS = {
  password: { waits: 'No password chosen yet', button: 'Send the Link to Choose One' },
  confirmation: { waits: 'Email not confirmed yet', button: 'Send the Link to Confirm It' },
};

function AccessEmailRow({
  customerId,
  email,
}: {
  customerId: string;
  email: NonNullable<MemberAccount['access_email']>;
}) {
  const keep = useKeepAccount(customerId);
  const { busy, send } = useSend();
  const resend = () =>
    send(async () => {
      keep(await api.memberAccount.sendAccessEmail({ customer_id: customerId }));
      toast.success('Email sent');
    }, showNotSent);
  const { waits, button } = ACCESS_EMAIL_TEXTS[email.kind];
  return (
    <Notice
      title={waits}
      className="mt-4"
      action={
        <Button variant="secondary" size="sm" busy={busy} busyLabel="Sending..." onClick={resend}>
          {button}
        </Button>
      }
    >
      {email.sent_at
        ? `The last email was sent ${formatDateTime(email.sent_at)}.`
        : 'No email has been sent yet.'}
    </Notice>
  );
}

interface PendingEmailProps {
  customerId: string;
  new_email: string;
  expires_at: string;
}

function PendingEmail({ customerId, new_email, expires_at }: PendingEmailProps) {
  const queries = useQueryClient();
  const keep = useKeepAccount(customerId);
  const { busy, send } = useSend();
  const withdraw = () =>
    send(
      async () => {
        keep(await api.memberAccount.withdrawEmail({ customer_id: customerId }));
        toast.success('The email stays the same');
      },
      (error) => {
        failureToast('We couldn’t withdraw the change', 'Please try again.')(error);
        void queries.invalidateQueries({ queryKey: orpc.memberAccount.key() });
      },
    );
  return (
    <Notice
      title="New email, not confirmed yet"
      className="mt-4"
      action={
        <Button variant="secondary" size="sm" busy={busy} busyLabel="Withdrawing..." onClick={withdraw}>
          Withdraw
        </Button>
      }
    >
      The link went to <span className="break-all font-medium">{new_email}</span> and works until{' '}
      {formatDateTime(expires_at)}. Nothing changes until they follow it.
    </Notice>
  );
}

function ChangeMemberEmailDialog({ customerId, account, onClose }: AccountDialogProps) {
  const keep = useKeepAccount(customerId);
  const again = useReadAgain(customerId);
  const atOnce = !account.email_confirmed;
  const form = useForm({
    fields: { email },
    onSubmit: async ({ email }) => {
      try {
        const { version } = account;
        const result = await api.memberAccount.changeEmail({ customer_id: customerId, version, email });
        keep(result);
        if (result.pending_email) toast.success(`The link went to ${result.pending_email.new_email}`);
        else toast.success('Email corrected');
      } catch (error) {
        await again.rethrow(error);
      }
      onClose();
    },
    onError: (error) => {
      if (refusalOf(error, 'EMAIL_UNCHANGED')) return { email: 'The account already has this email.' };
      if (refusalOf(error, 'EMAIL_IN_USE')) return { email: serverMessage(error) ?? '' };
      if (refusalOf(error, 'EMAIL_SENDING_OFF')) {
        return 'This club cannot send email yet, so confirmed emails cannot be changed.';
      }
      return again.textOf(error) ?? serverMessage(error) ?? 'Nothing was changed. Please try again.';
    },
  });
  return (
    <FormDialog
      form={form}
      title={atOnce ? 'Correct the Email' : 'Change the Email'}
      description={
        atOnce
          ? `${account.email} was never confirmed, so the new email takes effect right away. Every device is signed out, and we’ll email the old address.`
          : 'We’ll email a link to the new address, and a notice to the old one. The change takes effect when the member follows the link, and every device is signed out.'
      }
      submitLabel={atOnce ? 'Correct' : 'Send the Link'}
      busyLabel="One moment..."
      onClose={onClose}
    >
      <TextField
        label="New Email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.field('email')}
      />
    </FormDialog>
  );
}
