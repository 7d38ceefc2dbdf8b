import { useQuery } from '@tanstack/react-query';
import { PushCard } from '../../account/push-card.tsx';
import { orpc } from '../../api/client.ts';
import { AccountShell } from './account-shell.tsx';
import { PersonalEmailsCard } from './personal-emails-card.tsx';

export function NotificationsPage() {
  const { data: me } = useQuery(orpc.members.getOwn.queryOptions());
  return (
    <AccountShell
      title="Notifications and Emails"
      lead="We always email you about your account and your payments."
    >
      <PushCard />
      {me?.customer && <PersonalEmailsCard />}
    </AccountShell>
  );
}
