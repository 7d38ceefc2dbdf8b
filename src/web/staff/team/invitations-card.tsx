import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../../contract/staff/team.ts';
import { api, orpc } from '../../api/client.ts';
import { serverTime } from '../../api/server-clock.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { dateOfInstant } from '../venue-dates.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { PERMISSION_TEXT } from './permission-text.ts';

export function InvitationsCard() {
  const { data = [] } = useQuery(orpc.team.listInvitations.queryOptions());
  const [again, setAgain] = useState<Invitation | null>(null);
  const [ending, setEnding] = useState<Invitation | null>(null);
  if (data.length === 0) return null;
  return (
    <Card title="Invited" padding="plain">
      <ul className="divide-y divide-line">
        {data.map((invitation) => (
          <Row
            key={invitation.id}
            invitation={invitation}
            onAgain={() => setAgain(invitation)}
            onEnd={() => setEnding(invitation)}
          />
        ))}
      </ul>
      {again && <InviteDialog again={again} onClose={() => setAgain(null)} />}
      {ending && (
        <ActDialog
          title={`Withdraw the invitation of ${ending.email}?`}
          description="The link in their email stops working. You can invite them again."
          confirmLabel="Withdraw"
          busyLabel="Withdrawing..."
          act={async () => {
            await api.team.withdrawInvitation({ id: ending.id });
            return 'The invitation was withdrawn';
          }}
          failed="We couldn’t withdraw the invitation. Please try again."
          reload={orpc.team.listInvitations.key()}
          onClose={() => setEnding(null)}
        />
      )}
    </Card>
  );
}

interface RowProps {
  invitation: Invitation;
  onAgain: () => void;
  onEnd: () => void;
}

function Row({ invitation, onAgain, onEnd }: RowProps) {
  const { email, permissions, invited_by, expires_at } = invitation;
  const expired = Date.parse(expires_at) <= serverTime();
  const may = permissions.map((it) => PERMISSION_TEXT[it].label).join(', ');
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-4 sm:px-7">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="break-all">{email}</span>
          {expired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="text-ink-muted text-sm">
          {may || 'No permissions'} · invited by {invited_by}
          {!expired && `, until ${dateOfInstant(expires_at)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" aria-label={`Send again to ${email}`} onClick={onAgain}>
          Send Again
        </Button>
        <Button variant="secondary" size="sm" aria-label={`Withdraw ${email}`} onClick={onEnd}>
          Withdraw
        </Button>
      </div>
    </li>
  );
}
