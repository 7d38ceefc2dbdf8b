import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { EmailReminder } from '../../account/email/email-reminder.tsx';
import { SecurityCards } from '../../account/security-cards.tsx';
import { SessionsCard } from '../../account/sessions-card.tsx';
import { orpc } from '../../api/client.ts';
import { AccountShell } from './account-shell.tsx';

export default function SecurityPage() {
  const { user } = useRouteContext({ from: '/_member' });
  const { data: change } = useQuery(orpc.emailChange.get.queryOptions());
  return (
    <AccountShell title="Security" lead="How you sign in, and where you are signed in.">
      <SecurityCards user={user} />
      <SessionsCard />
      {/* One link at a time: a new email is confirmed by the link sent there. */}
      {!change?.pending && <EmailReminder user={user} eachVisit />}
    </AccountShell>
  );
}
