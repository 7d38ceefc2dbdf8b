import { EmailReminder } from '../../account/email/email-reminder.tsx';
import { SecurityCards } from '../../account/security-cards.tsx';
import type { SessionUser } from '../../api/session.ts';
import { AccountShell } from './account-shell.tsx';

export function SecurityPage({ user }: { user: SessionUser }) {
  return (
    <AccountShell title="Security" lead="How you sign in, and where you are signed in.">
      <SecurityCards user={user} />
      <EmailReminder user={user} eachVisit />
    </AccountShell>
  );
}
