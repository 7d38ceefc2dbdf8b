import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../../api/client.ts';
import type { SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { ColleagueCard } from './colleague-card.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { TabletsCard } from './tablets-card.tsx';

export function TeamPage({ user }: { user: SessionUser }) {
  const { data, error, isError, isFetching, refetch } = useQuery(orpc.team.list.queryOptions());
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
      {data ? (
        <ul className="grid gap-5 xl:grid-cols-2">
          {data.map((colleague) => (
            <ColleagueCard
              key={colleague.user_id}
              colleague={colleague}
              isSelf={colleague.user_id === user.id}
            />
          ))}
        </ul>
      ) : (
        <Card>
          {isError ? (
            <ErrorState
              of={error}
              title="We couldn’t load the team"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          ) : (
            <SkeletonLines lines={6} />
          )}
        </Card>
      )}
      <TabletsCard />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </PageShell>
  );
}
