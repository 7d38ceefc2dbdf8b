import formRules from 'virtual:form-rules';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import type { Profile } from '../../../contract/members.ts';
import { EmailStatus } from '../../account/email/email-status.tsx';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { forgetSession, type SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useInlineForm } from '../../ui/use-inline-form.ts';

export function ProfileCard({ profile, user }: { profile: Profile; user: SessionUser }) {
  const form = useInlineForm();

  return (
    <Card
      title="Profile"
      aside={
        !form.isOpen && (
          <Button ref={form.button} variant="quiet" size="sm" onClick={form.open}>
            Edit Profile
          </Button>
        )
      }
    >
      {form.isOpen ? (
        <ProfileForm profile={profile} onDone={form.close} />
      ) : (
        <DescriptionList
          dense
          items={[
            { term: 'Name', detail: `${profile.first_name} ${profile.last_name}` },
            { term: 'Email', detail: <EmailStatus user={{ ...user, email: profile.email }} /> },
            ...(profile.phone ? [{ term: 'Phone', detail: profile.phone }] : []),
          ]}
        />
      )}
    </Card>
  );
}

interface ProfileFormProps {
  profile: Profile;
  onDone: () => void;
}

function ProfileForm({ profile, onDone }: ProfileFormProps) {
  const client = useQueryClient();
  const form = useForm({
    rules: formRules.updateProfile,
    values: {
      first_name: profile.first_name,
      last_name: profile.last_name,
      phone: profile.phone ?? '',
    },
    onSubmit: async (input) => {
      const saved = await api.profile.update(input);
      client.setQueryData(orpc.members.getOwn.queryKey(), (me) => me && { ...me, profile: saved });
      forgetSession();
      toast.success('Profile saved');
      onDone();
    },
    onError: (error) => serverMessage(error) ?? 'Nothing was changed. Please try again.',
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !form.busy) onDone();
  };

  return (
    <form {...form.props} aria-label="Profile" onKeyDown={onKeyDown} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField label="First Name" autoComplete="given-name" autoFocus {...form.field('first_name')} />
        <TextField label="Last Name" autoComplete="family-name" {...form.field('last_name')} />
      </div>
      <TextField label="Phone" type="tel" autoComplete="tel" {...form.field('phone')} />
      <p className="text-ink-muted text-sm">
        You sign in with {profile.email}. To change your email, go to{' '}
        <Link to="/account/security" className="link">
          Security
        </Link>
        .
      </p>
      <FormError of={form.failure} title="We couldn’t save your profile" />
      <FormButtons busy={form.busy} busyLabel="Saving..." onCancel={onDone}>
        Save
      </FormButtons>
    </form>
  );
}
