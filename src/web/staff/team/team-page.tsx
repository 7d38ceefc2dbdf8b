import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { ColleagueCard } from './colleague-card.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { TabletsCard } from './tablets-card.tsx';

export default function TeamPage() {
  const { user } = useRouteContext({ from: '/_staff' });
  const query = useQuery(orpc.team.list.queryOptions());
  const [inviting, setInviting] = useState(false);
  return (
    <PageShell
      width="wide"
      title="Team"
      lead="Everyone here can scan, pour, look up members and review applications. Everything else needs a permission."
      back={useBackToMore()}
      actions={
        <>
          <LinkButton variant="quiet" size="sm" to="/staff/audit" search={{}}>
            Audit
          </LinkButton>
          <Button size="sm" onClick={() => setInviting(true)}>
            Invite
          </Button>
        </>
      }
    >
      <InvitationsCard />
      <Loaded query={query} failed="We couldn’t load the team" card lines={6}>
        {(data) => (
          <ul className="grid gap-5 xl:grid-cols-2">
            {data.map((colleague) => (
              <ColleagueCard
                key={colleague.user_id}
                colleague={colleague}
                isSelf={colleague.user_id === user.id}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <TabletsCard />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </PageShell>
  );
}
