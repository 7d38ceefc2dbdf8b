import { DataExportCard } from '../../account/data-export-card.tsx';
import { EmailReminder } from '../../account/email-reminder.tsx';
import { EmailStatus } from '../../account/email-status.tsx';
import { SecurityCards } from '../../account/security-cards.tsx';
import type { SessionUser } from '../../api/session.ts';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { ApiClientsCard } from './api-clients-card.tsx';
import { SystemCard } from './system-card.tsx';

/** The account of the signed-in staff user. */
export function StaffSettingsPage({ user }: { user: SessionUser }) {
  return (
    <PageShell
      title="Settings"
      back={user.must_enrol ? <span /> : <BackLink to="/staff/dashboard">Back to Dashboard</BackLink>}
      actions={<StaffSignOut />}
    >
      {user.must_enrol && (
        <Notice tone="warning" title="Set up two-step sign-in first">
          This venue requires staff to sign in with a code in addition to their password. Setting it up takes
          a minute and an authenticator app on your phone.
        </Notice>
      )}
      <EmailReminder user={user} eachVisit />
      <Card title="Account">
        <DescriptionList
          items={[
            { term: 'Name', detail: `${user.first_name} ${user.last_name}`.trim() },
            { term: 'Email', detail: <EmailStatus user={user} /> },
          ]}
        />
      </Card>
      <SecurityCards enrolling={user.must_enrol} />
      {!user.must_enrol && <ApiClientsCard />}
      {!user.must_enrol && <DataExportCard />}
      {!user.must_enrol && <SystemCard />}
    </PageShell>
  );
}
