import { useQuery } from '@tanstack/react-query';
import { PushCard } from '../../account/push-card.tsx';
import { orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { AccountShell } from './account-shell.tsx';
import { usePersonalEmails } from './use-personal-emails.ts';

export default function NotificationsPage() {
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

/** Whether staff may email a member at risk; emails about the membership are always sent. */
function PersonalEmailsCard() {
  const { wanted, busy, answer } = usePersonalEmails('account');
  // Renders nothing until loaded: this is the least important part of the page.
  if (wanted === undefined) return null;
  return (
    <Card
      title="Personal Emails"
      aside={
        <span className="flex-1">
          <Badge tone={wanted ? 'positive' : 'neutral'}>{wanted ? 'On' : 'Off'}</Badge>
        </span>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-60 text-ink-muted">
          {wanted
            ? `Now and then someone at ${site.club_name} may email you, for example if we haven’t seen you in a while.`
            : 'We only email you about your membership and your account.'}
        </p>
        <Button variant="secondary" busy={busy} onClick={() => void answer(!wanted)}>
          {wanted ? 'Turn Off' : 'Turn On'}
        </Button>
      </div>
    </Card>
  );
}
