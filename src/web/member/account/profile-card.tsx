import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Profile } from '../../../contract/members.ts';
import { EmailStatus } from '../../account/email/email-status.tsx';
import type { SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ProfileForm } from './profile-form.tsx';

export function ProfileCard({ profile, user }: { profile: Profile; user: SessionUser }) {
  const [editing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);

  // Returns the focus to the button that replaces the form.
  const finish = () => {
    flushSync(() => setEditing(false));
    editButton.current?.focus();
  };

  return (
    <Card
      title="Profile"
      aside={
        !editing && (
          <Button ref={editButton} variant="quiet" size="sm" onClick={() => setEditing(true)}>
            Edit Profile
          </Button>
        )
      }
    >
      {editing ? (
        <ProfileForm profile={profile} onDone={finish} />
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
