import type { ReactNode } from 'react';
import { pourCount } from '../../../domain/pour.ts';
import type { SessionUser } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { placeLabel } from '../pours/pour-place.ts';
import { formatDateTime } from '../venue-dates.ts';
import { withdrawQueued } from './queue.ts';
import { queueStore } from './queue-store.ts';
import { isUse, isWaiting, pouredAt, type QueuedEntry } from './queued-pour.ts';

const nounOf = (entry: QueuedEntry) => (isUse(entry) ? 'benefit' : 'pour');

export function QueueList({ user, entries }: { user: SessionUser; entries: readonly QueuedEntry[] }) {
  const refusals = entries.filter((entry) => entry.refused !== undefined);
  const waiting = entries.filter(isWaiting);
  return (
    <>
      {refusals.length > 0 && (
        <Group title="Not recorded">
          {refusals.map((entry) => (
            <Row
              key={entry.request_id}
              entry={entry}
              note={<p className="font-medium text-danger">{entry.refused}</p>}
            >
              <Button
                variant="secondary"
                aria-label={`Dismiss the ${nounOf(entry)} for ${entry.member}`}
                onClick={() => queueStore.remove(entry.request_id)}
              >
                Dismiss
              </Button>
            </Row>
          ))}
        </Group>
      )}
      {waiting.length > 0 && (
        <Group title="Waiting to be sent">
          {waiting.map((entry) =>
            entry.staff_id === user.id ? (
              <Row key={entry.request_id} entry={entry}>
                <Button
                  variant="secondary"
                  aria-label={`Undo the ${nounOf(entry)} for ${entry.member}`}
                  onClick={() => withdrawQueued(entry.request_id)}
                >
                  Undo
                </Button>
              </Row>
            ) : (
              <Row
                key={entry.request_id}
                entry={entry}
                note={<p className="text-ink-muted">Sent when {entry.staff} signs in on this device.</p>}
              />
            ),
          )}
        </Group>
      )}
      <p className="text-ink-muted text-sm">
        {entries.some(isUse) ? 'They' : 'Waiting pours'} will be sent in this order once you’re back online.
        None will count twice.
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

function Row({ entry, note, children }: { entry: QueuedEntry; note?: ReactNode; children?: ReactNode }) {
  const what = isUse(entry) ? entry.words : `${pourCount(entry.quantity)}, ${placeLabel(entry.location)}`;
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0 text-sm">
        <p className="font-semibold text-base">{entry.member}</p>
        <p className="text-ink-muted">
          {what}, {formatDateTime(new Date(pouredAt(entry)).toISOString())}
        </p>
        {note}
      </div>
      {children}
    </li>
  );
}
