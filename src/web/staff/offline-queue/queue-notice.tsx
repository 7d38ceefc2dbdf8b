import { useState } from 'react';
import type { SessionUser } from '../../api/session.ts';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PaymentQueue, queueLabel } from './payment-queue.tsx';
import { QueueList } from './queue-list.tsx';
import { useQueuedPayments } from './queued-payments.ts';
import { isUse, isWaiting, refusedLabel } from './queued-pour.ts';
import { useQueue } from './use-queue.ts';

/** Floats at the bottom of every staff page, so that nothing moves under a thumb. */
export function QueueNotice({ user }: { user: SessionUser }) {
  const { entries } = useQueue();
  const payments = useQueuedPayments();
  const [open, setOpen] = useState(false);
  const waiting = entries.filter(isWaiting);
  const refusals = [...entries, ...payments].filter((it) => it.refused !== undefined);
  const isShown = waiting.length + refusals.length + payments.length > 0;

  return (
    <>
      {/* Space at the end of the page, so that the notice covers nothing. */}
      {isShown && <div data-queue-space className="h-24" />}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-3 bottom-[calc(var(--action-bar,0px)+max(0.75rem,env(safe-area-inset-bottom)))] z-40 flex justify-center sm:inset-x-6 sm:justify-end"
      >
        {isShown && (
          <button
            type="button"
            onClick={() => setOpen(true)}
            className={classNames(
              'pointer-events-auto flex min-h-12 max-w-full items-center gap-2.5 rounded-full border py-2 pr-5 pl-4 font-semibold text-sm shadow-raised',
              refusals.length > 0
                ? 'border-danger bg-danger-soft text-danger'
                : 'border-line-strong bg-surface-raised text-ink',
            )}
          >
            <Icon
              shape={refusals.length > 0 ? 'alert' : 'offline'}
              className={classNames('shrink-0', refusals.length === 0 && 'text-warning')}
            />
            <span className="truncate">
              {refusals.length > 0 ? refusedLabel(refusals) : queueLabel(waiting, payments)}
            </span>
          </button>
        )}
      </div>
      {open && isShown && (
        <Dialog
          onClose={() => setOpen(false)}
          title={payments.length > 0 || entries.some(isUse) ? 'On This Device' : 'Pours on This Device'}
        >
          <PaymentQueue user={user} payments={payments} />
          {entries.length > 0 && <QueueList user={user} entries={entries} />}
        </Dialog>
      )}
    </>
  );
}
