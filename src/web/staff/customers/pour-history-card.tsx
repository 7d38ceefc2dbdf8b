import { useQuery } from '@tanstack/react-query';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { type ReactNode, useState } from 'react';
import type { StaffPour } from '../../../contract/pours.ts';
import { pourPlaceText } from '../../../domain/club/places.ts';
import { pourCount } from '../../../domain/pour.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { orpc } from '../../api/client.ts';
import { serverTime } from '../../api/server-clock.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toast.ts';
import { VoidDialog } from '../pours/void-dialog.tsx';
import { useBalanceUpdate } from '../refresh-members.ts';
import { useTablet } from '../tablet/use-tablet.ts';
import { formatDateTime } from '../venue-dates.ts';

export function PourHistoryCard({ customerId, aside }: { customerId: string; aside?: ReactNode }) {
  return (
    <Card title="Pour History" padding="plain" aside={aside}>
      <PourHistory customerId={customerId} />
    </Card>
  );
}

function PourHistory({ customerId }: { customerId: string }) {
  const updateBalance = useBalanceUpdate();
  const query = useQuery(orpc.pours.listForCustomer.queryOptions({ input: { customer_id: customerId } }));
  const [undoing, setUndoing] = useState<StaffPour | null>(null);
  return (
    <Loaded query={query} action="Loading the pour history" lines={5} className="px-5 py-6 sm:px-7">
      {(pours) =>
        pours.length === 0 ? (
          <EmptyState picture={<EmptyGlassPicture />} title="No pours recorded yet" />
        ) : (
          <>
            <ul className="divide-y divide-line">
              {pours.map((pour) => (
                <PourRow key={pour.id} pour={pour} onUndo={() => setUndoing(pour)} />
              ))}
            </ul>
            {undoing && (
              <VoidDialog
                pour={undoing}
                onClose={() => setUndoing(null)}
                onVoided={(balance) => {
                  toast.success('Pour undone');
                  updateBalance(customerId, balance);
                }}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

/** Hours in which undoing a pour is one tap away: the evening it was poured. */
const DIRECT_UNDO_HOURS = 12;

function UndoAction({ label, at, onUndo }: { label: string; at: string; onUndo: () => void }) {
  const button = (
    <Button variant="quiet" size="sm" className="-mr-3" aria-label={`Undo ${label}`} onClick={onUndo}>
      Undo
    </Button>
  );
  if (serverTime() - Date.parse(at) < DIRECT_UNDO_HOURS * 3_600_000) return button;
  return (
    <details className="text-right">
      <summary
        aria-label={`More for ${label}`}
        className={buttonStyle({ variant: 'quiet', size: 'sm' }, '-mr-3 cursor-pointer')}
      >
        <Ellipsis size={20} />
      </summary>
      {button}
    </details>
  );
}

function PourRow({ pour, onUndo }: { pour: StaffPour; onUndo: () => void }) {
  const { voided, own } = pour;
  // On a tablet, staff can undo only their own pours.
  const mayUndo = useTablet() === null || own;
  const struck = voided && 'text-ink-muted line-through';
  const when = formatDateTime(pour.created_at);
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-4 sm:px-7">
      <div className="min-w-0">
        <p className={classNames('font-medium', struck)}>{pourPlaceText(pour)}</p>
        {pour.wine && <p className={classNames('font-title', struck)}>{wineTitle(pour.wine)}</p>}
        <div className={classNames('flex flex-wrap gap-x-2 text-ink-muted text-sm', struck)}>
          <p>
            <time dateTime={pour.created_at}>{when}</time>
            {pour.printed_card && ', printed card'}
            {pour.offered_water && ', water offered'}
          </p>
          {pour.recorded_at && <p>Recorded {formatDateTime(pour.recorded_at)}</p>}
          <p>
            By {pour.recorded_by}
            {pour.tablet && `, ${pour.tablet}`}
          </p>
        </div>
        {pour.notes && <p className={classNames('mt-1 whitespace-pre-line text-sm', struck)}>{pour.notes}</p>}
        {voided && (
          <p className="mt-1 text-sm">
            <span className="font-semibold">Voided</span> by {voided.by}, {formatDateTime(voided.at)}
            {voided.reason && <span className="block wrap-anywhere">“{voided.reason}”</span>}
          </p>
        )}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-2">
        <Badge tone={voided ? 'neutral' : 'accent'} className={classNames(struck)}>
          {pourCount(pour.quantity)}
        </Badge>
        {!voided && mayUndo && (
          <UndoAction label={`${pourCount(pour.quantity)}, ${when}`} at={pour.created_at} onUndo={onUndo} />
        )}
      </div>
    </li>
  );
}
