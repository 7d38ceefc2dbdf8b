import { useState } from 'react';
import type { SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useOnline } from '../../ui/offline-notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useReconnect } from '../../ui/use-reconnect.ts';
import { QueueList } from '../offline-queue/queue-list.tsx';
import { useQueue } from '../offline-queue/use-queue.ts';
import { SeenMemberList } from './seen-member-list.tsx';
import { seenMembers } from './seen-members.ts';

export function OfflineBarPage({ user }: { user: SessionUser }) {
  const online = useOnline();
  const { reconnecting, reconnect } = useReconnect(online);
  const queue = useQueue();
  const [typed, setTyped] = useState('');
  const members = seenMembers(queue);
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
      {queue.entries.length > 0 && (
        <Card title="On This Device">
          <div className="grid gap-4">
            <QueueList user={user} entries={queue.entries} />
          </div>
        </Card>
      )}
      <Card title="Members Seen on This Device">
        {members.length > 0 && (
          <>
            <p className="mb-4 text-ink-muted text-sm">
              Shows what each had left when this device was last online, minus the pours waiting here.
            </p>
            <TextField
              label="Find a member"
              type="search"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="mb-2"
            />
          </>
        )}
        <SeenMemberList members={members} search={typed} className="divide-y divide-line" />
      </Card>
    </PageShell>
  );
}
