import type { ReactNode } from 'react';
import { pourCount } from '../../../domain/pour.ts';
import type { SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { placeLabel } from '../pours/pour-place.ts';
import { formatDateTime } from '../venue-dates.ts';
import { withdrawQueued } from './queue.ts';
import { queueStore } from './queue-store.ts';
import { isWaiting, pouredAt, type QueuedPour } from './queued-pour.ts';

export function QueueList({ user, pours }: { user: SessionUser; pours: readonly QueuedPour[] }) {
  const refusals = pours.filter((pour) => pour.refused !== undefined);
  const waiting = pours.filter(isWaiting);
  return (
    <>
      {refusals.length > 0 && (
        <Group title="Not recorded">
          {refusals.map((pour) => (
            <Row
              key={pour.request_id}
              pour={pour}
              note={<p className="font-medium text-danger">{pour.refused}</p>}
            >
              <Button
                variant="secondary"
                aria-label={`Dismiss the pour for ${pour.member}`}
                onClick={() => queueStore.remove(pour.request_id)}
              >
                Dismiss
              </Button>
            </Row>
          ))}
        </Group>
      )}
      {waiting.length > 0 && (
        <Group title="Waiting to be sent">
          {waiting.map((pour) =>
            pour.staff_id === user.id ? (
              <Row key={pour.request_id} pour={pour}>
                <Button
                  variant="secondary"
                  aria-label={`Undo the pour for ${pour.member}`}
                  onClick={() => withdrawQueued(pour.request_id)}
                >
                  Undo
                </Button>
              </Row>
            ) : (
              <Row
                key={pour.request_id}
                pour={pour}
                note={<p className="text-ink-muted">Sent when {pour.staff} signs in on this device.</p>}
              />
            ),
          )}
        </Group>
      )}
      <p className="text-ink-muted text-sm">
        Waiting pours will be sent in this order once you’re back online. None will count twice.
      </p>
    </>
  );
}

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold font-text text-base">{title}</h3>
      <ul className="divide-y divide-line border-line border-y">{children}</ul>
    </section>
  );
}

function Row({ pour, note, children }: { pour: QueuedPour; note?: ReactNode; children?: ReactNode }) {
  const place = placeLabel(pour.location);
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0 text-sm">
        <p className="font-semibold text-base">{pour.member}</p>
        <p className="text-ink-muted">
          {pourCount(pour.quantity)}, {place}, {formatDateTime(new Date(pouredAt(pour)).toISOString())}
        </p>
        {note}
      </div>
      {children}
    </li>
  );
}
