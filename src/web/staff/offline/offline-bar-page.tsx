import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import type { SessionUser } from '../../api/session.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { ageText } from '../../format/age.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useOnline } from '../../ui/offline-notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useReconnect } from '../../ui/use-reconnect.ts';
import { QueueList } from '../offline-queue/queue-list.tsx';
import { useQueue } from '../offline-queue/use-queue.ts';
import { matching, type SeenMemberEntry, seenMembers } from './seen-members.ts';

export function OfflineBarPage({ user }: { user: SessionUser }) {
  const online = useOnline();
  const { reconnecting, reconnect } = useReconnect(online);
  const stored = useQueue();
  const [typed, setTyped] = useState('');
  const members = seenMembers(stored);
  const found = matching(members, typed);
  return (
    <PageShell
      title="The Bar, Offline"
      lead={`${online ? 'We can’t reach our server. ' : ''}You can still pour for the members below. Each pour is saved on this device and will be sent as soon as the server is back.`}
      actions={
        <Button variant="secondary" size="sm" busy={reconnecting} onClick={() => void reconnect()}>
          Try Again
        </Button>
      }
    >
      {stored.pours.length > 0 && (
        <Card title="Pours on This Device">
          <div className="grid gap-4">
            <QueueList user={user} pours={stored.pours} />
          </div>
        </Card>
      )}
      <Card title="Members Seen on This Device">
        {members.length === 0 ? (
          <p className="text-ink-muted">
            No member was opened here in the last day. Their codes can be checked again once the server is
            back.
          </p>
        ) : (
          <>
            <p className="mb-4 text-ink-muted text-sm">
              Shows what each had left when this device was last online, minus the pours waiting here.
            </p>
            <TextField
              label="Find a member"
              type="search"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            {found.length === 0 && <p className="mt-4 text-ink-muted">No members match that name.</p>}
            <ul className="mt-2 divide-y divide-line">
              {found.map((member) => (
                <SeenMemberRow key={member.id} member={member} />
              ))}
            </ul>
          </>
        )}
      </Card>
    </PageShell>
  );
}

/** Links to the pour page, which makes no requests. */
function SeenMemberRow({ member }: { member: SeenMemberEntry }) {
  const { at, ...customer } = member;
  const now = useNow();
  const age = ageText(new Date(at).toISOString(), new Date(now).toISOString());
  return (
    <li>
      <Link
        to="/staff/customers/$id/add-pour"
        params={{ id: customer.id }}
        state={{ customer }}
        className="flex min-h-18 items-center gap-3 py-3"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold text-lg">
            {customer.first_name} {customer.last_name}
          </span>
          <span className="block text-ink-muted text-sm tabular-nums">
            {customer.pours_balance} left, known {age}
          </span>
        </span>
        <TierBadge tier={customer.tier} />
        <ChevronRight size={20} className="shrink-0 text-ink-muted" />
      </Link>
    </li>
  );
}
