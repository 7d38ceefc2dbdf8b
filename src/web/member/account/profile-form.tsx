import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, KeyboardEvent } from 'react';
import { useState } from 'react';
import type { Profile } from '../../../contract/members.ts';
import { orpc, serverMessage } from '../../api/client.ts';
import { forgetSession } from '../../api/session.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';

interface ProfileFormProps {
  profile: Profile;
  onDone: () => void;
}

const required = ['first_name', 'last_name'] as const;
type Missing = Partial<Record<(typeof required)[number], string>>;

export function ProfileForm({ profile, onDone }: ProfileFormProps) {
  const client = useQueryClient();
  const [missing, setMissing] = useState<Missing>({});
  const saving = useMutation(
    orpc.profile.update.mutationOptions({
      onSuccess: (saved) => {
        client.setQueryData(orpc.members.getOwn.queryKey(), (me) => me && { ...me, profile: saved });
        forgetSession();
        toast.success('Profile saved');
        onDone();
      },
    }),
  );

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (saving.isPending) return;
    const form = event.currentTarget;
    const entered = new FormData(form);
    const text = (name: string) => String(entered.get(name) ?? '').trim();
    const empty = required.filter((name) => !text(name));
    setMissing(Object.fromEntries(empty.map((name) => [name, 'Required'])));
    if (empty[0]) return form.querySelector<HTMLInputElement>(`[name=${empty[0]}]`)?.focus();
    saving.mutate({
      first_name: text('first_name'),
      last_name: text('last_name'),
      phone: text('phone') || null,
    });
  };

  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !saving.isPending) onDone();
  };

  return (
    <form aria-label="Profile" noValidate onSubmit={submit} onKeyDown={leave} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField
          label="First Name"
          name="first_name"
          autoComplete="given-name"
          defaultValue={profile.first_name}
          error={missing.first_name}
          maxLength={80}
          required
          autoFocus
        />
        <TextField
          label="Last Name"
          name="last_name"
          autoComplete="family-name"
          defaultValue={profile.last_name}
          error={missing.last_name}
          maxLength={80}
          required
        />
      </div>
      <TextField
        label="Phone"
        name="phone"
        type="tel"
        autoComplete="tel"
        defaultValue={profile.phone ?? ''}
        maxLength={40}
        optional
      />
      <p className="text-ink-muted text-sm">
        Your email, {profile.email}, is how you sign in. To change it, write to{' '}
        <SupportLink subject="A new email address" />.
      </p>
      {saving.isError && (
        <Notice tone="danger" role="alert" title="Your profile could not be saved">
          {serverMessage(saving.error) ?? 'Nothing was changed. Please try again.'}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={saving.isPending} busyLabel="Saving...">
          Save
        </Button>
        <Button variant="secondary" disabled={saving.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
