import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { confirmation, currentPassword } from '../../../contract/forms/credentials.ts';
import type { Customer, OwnHousehold } from '../../../contract/members.ts';
import { DELETE_CONFIRMATION } from '../../../domain/account-deletion.ts';
import { DataExportCard } from '../../account/data-export-card.tsx';
import { orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { deleteOfflineCard } from '../../api/offline-card.ts';
import { forgetSignedIn } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useInlineForm } from '../../ui/use-inline-form.ts';
import { AccountShell } from './account-shell.tsx';
import { deleteAccount } from './deleting-account.ts';

/** What deleting the account ends. Until the membership is loaded, the form assumes one. */
function whatEnds(me: { customer: Customer | null; household: OwnHousehold | null } | undefined) {
  if (me?.household?.role === 'partner') return 'sharing';
  return !me || me.customer?.status === 'active' ? 'membership' : null;
}

export default function DataPage() {
  const { data: me } = useQuery(orpc.members.getOwn.queryOptions());
  return (
    <AccountShell title="Your Data" lead="What we store about you is yours.">
      <DataExportCard />
      <DeleteAccountCard ends={whatEnds(me)} />
    </AccountShell>
  );
}

interface DeleteAccountProps {
  /** sharing: the user is a partner in another person's membership. Null without a membership. */
  ends: 'membership' | 'sharing' | null;
}

function DeleteAccountCard({ ends }: DeleteAccountProps) {
  const form = useInlineForm();
  return (
    <Card title="Delete Account">
      {form.isOpen ? (
        <DeleteForm ends={ends} onCancel={form.close} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="min-w-0 flex-1 basis-56 text-ink-muted">
            {ENDS[ends ?? 'nothing']} everything about you here.
          </p>
          <Button ref={form.button} variant="secondary" onClick={form.open}>
            Delete My Account
          </Button>
        </div>
      )}
    </Card>
  );
}

const ENDS = {
  membership: 'Ends your membership and permanently deletes',
  sharing: 'Ends your share of the membership and permanently deletes',
  nothing: 'Permanently deletes',
};

function DeleteForm({ ends, onCancel }: DeleteAccountProps & { onCancel: () => void }) {
  const router = useRouter();
  const client = useQueryClient();
  const form = useForm({
    fields: { password: currentPassword, confirmation },
    onSubmit: async (input) => {
      await deleteAccount(input);
      forgetSignedIn();
      deleteOfflineCard();
      toast.success('Your account was deleted', {
        description: 'Thank you for your visits.',
        nextPage: true,
      });
      await router.navigate({ to: '/login', replace: true });
      client.clear();
    },
    onError: (error) => {
      const text = serverMessage(error) ?? 'Please try again.';
      if (refusalOf(error, 'WRONG_PASSWORD')) return { password: text };
      if (!refusalOf(error, 'PAYMENTS_UNAVAILABLE')) return text;
      return 'The payment service did not respond, so we couldn’t end your membership. Please try again in a moment.';
    },
  });

  return (
    <form {...form.props} aria-label="Delete account" className="flex flex-col gap-5">
      <ul className="flex list-disc flex-col gap-2 pl-5">
        {ends === 'sharing' && (
          <li>
            You’ll lose your card and the shared pours right away. The membership continues without you.
          </li>
        )}
        {ends === 'membership' && (
          <li>
            Your membership will end right away, and you won’t be charged again. The rest of the month is not
            refunded. To use it, cancel your subscription now and delete your account later.
          </li>
        )}
        <li>
          We’ll delete your profile, survey answers, membership card and everything else about you. You can’t
          undo this. You can use your email for a new account.
        </li>
        <li>For our books, we keep the number of pours and the amounts paid, without your name.</li>
      </ul>
      <PasswordField label="Password" autoComplete="current-password" autoFocus {...form.field('password')} />
      <TextField
        label={`Type ${DELETE_CONFIRMATION} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.field('confirmation')}
        onChange={(event) => form.set('confirmation', event.target.value.trim().toUpperCase())}
      />
      <FormError of={form.failure} title="We couldn’t delete your account" />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" busy={form.busy} busyLabel="Deleting...">
          Delete Permanently
        </Button>
        <Button variant="secondary" disabled={form.busy} onClick={onCancel}>
          Keep My Account
        </Button>
      </div>
    </form>
  );
}
