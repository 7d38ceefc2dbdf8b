import type { Profile } from '../../../contract/members.ts';
import { EmailStatus } from '../../account/email/email-status.tsx';
import type { SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { useInlineForm } from '../../ui/use-inline-form.ts';
import { ProfileForm } from './profile-form.tsx';

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
