import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { DELETE_CONFIRMATION } from '../../../domain/account-deletion.ts';
import { orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { deleteOfflineCard } from '../../api/offline-card.ts';
import { forgetSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';

interface DeleteAccountProps {
  /** There is a membership that would end. */
  member: boolean;
}

/** The way out: says what happens, asks twice, and does it. */
export function DeleteAccountCard({ member }: DeleteAccountProps) {
  const [asking, setAsking] = useState(false);
  const begin = useRef<HTMLButtonElement>(null);
  // The button is not there while the form is; whoever leaves the form by keyboard goes on from it.
  const stay = () => {
    flushSync(() => setAsking(false));
    begin.current?.focus();
  };
  return (
    <Card title="Delete Account">
      {asking ? (
        <DeleteForm member={member} onCancel={stay} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="min-w-0 flex-1 basis-56 text-ink-muted">
            {member ? 'Ends your membership, and deletes' : 'Deletes'} everything about you here, for good.
          </p>
          <Button ref={begin} variant="secondary" onClick={() => setAsking(true)}>
            Delete My Account
          </Button>
        </div>
      )}
    </Card>
  );
}

function DeleteForm({ member, onCancel }: DeleteAccountProps & { onCancel: () => void }) {
  const router = useRouter();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<{ password?: string; confirmation?: string }>({});
  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.select();
  const removing = useMutation(
    orpc.privacy.deleteAccount.mutationOptions({
      onSuccess: async () => {
        forgetSession();
        deleteOfflineCard();
        toast.success('Your account was deleted', { description: 'Thank you for having been our guest.' });
        await router.navigate({ to: '/login', replace: true });
        client.clear();
      },
      onError: (error) => {
        if (refusalOf(error, 'WRONG_PASSWORD')) focus('password');
      },
    }),
  );

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (removing.isPending) return;
    const entered = new FormData(event.currentTarget);
    const password = String(entered.get('password'));
    const word = String(entered.get('confirmation')).trim().toUpperCase();
    const problems = {
      ...(password ? {} : { password: 'Required' }),
      ...(word === DELETE_CONFIRMATION ? {} : { confirmation: `Please type ${DELETE_CONFIRMATION}` }),
    };
    setMissing(problems);
    const [first] = Object.keys(problems);
    if (first) return focus(first);
    removing.mutate({ password, confirmation: DELETE_CONFIRMATION });
  };

  const wrong = refusalOf(removing.error, 'WRONG_PASSWORD');
  const unpaid = refusalOf(removing.error, 'PAYMENTS_UNAVAILABLE');
  return (
    <form ref={form} noValidate onSubmit={submit} aria-label="Delete account" className="flex flex-col gap-5">
      <ul className="flex list-disc flex-col gap-2 pl-5">
        {member && (
          <li>
            Your membership ends at once, and nothing is charged any more. The rest of the month is not paid
            back: to use it up, cancel your subscription first and delete your account afterwards.
          </li>
        )}
        <li>
          Your profile, your answers about taste, your membership card and all else about you is deleted.
          Nobody can bring it back, and your email address is free for a new account.
        </li>
        <li>
          Our books keep the glasses that were poured and the amounts that were paid, without your name.
        </li>
      </ul>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        error={missing.password ?? (wrong ? (serverMessage(removing.error) ?? undefined) : undefined)}
        autoFocus
        required
      />
      <TextField
        label={`Type ${DELETE_CONFIRMATION} to confirm`}
        name="confirmation"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        error={missing.confirmation}
        required
      />
      {removing.isError && !wrong && (
        <Notice tone="danger" role="alert" title="Your account was not deleted">
          {unpaid
            ? 'The payment service did not answer, so your membership could not be ended. Please try again in a moment.'
            : (serverMessage(removing.error) ?? 'Please try again.')}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" busy={removing.isPending} busyLabel="Deleting...">
          Delete for Good
        </Button>
        <Button variant="secondary" disabled={removing.isPending} onClick={onCancel}>
          Keep My Account
        </Button>
      </div>
    </form>
  );
}
