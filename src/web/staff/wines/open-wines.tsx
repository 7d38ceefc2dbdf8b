import GripVertical from 'lucide-react/icons/grip-vertical';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { api } from '../../api/client.ts';
import { serverTime } from '../../api/server-clock.ts';
import { bottleText, wineOrigin } from '../../format/wine-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useNow } from '../../ui/use-now.ts';
import { useReorder } from './use-reorder.ts';
import type { Act } from './use-wine-list.ts';
import { WineName } from './wine-name.tsx';

export interface WinesProps {
  /** In the venue's order. */
  wines: StaffWine[];
  busy: boolean;
  act: Act;
  /** Null if wines can be neither changed nor reordered. */
  onEdit: ((wine: StaffWine) => void) | null;
}

export function OpenWines({ wines, busy, act, onEdit }: WinesProps) {
  const now = new Date(useNow(serverTime));
  const ids = wines.map(({ id }) => id);
  const { list, order, dragging, handle } = useReorder(ids, (moved) => {
    void act('We couldn’t change the order', () => api.wines.order({ ids: moved }));
  });
  const byId = new Map(wines.map((wine) => [wine.id, wine]));
  return (
    <Card
      title="Open Tonight"
      padding="plain"
      aside={<span className="text-ink-muted text-sm">As members see it</span>}
    >
      <ul ref={list} className="divide-y divide-line">
        {order.flatMap((id) => {
          const wine = byId.get(id);
          return wine
            ? [
                <li
                  key={id}
                  className={classNames(
                    'flex items-start gap-1 py-3 pr-4 sm:pr-6',
                    !onEdit && 'pl-4 sm:pl-6',
                    dragging === id && 'bg-surface-raised shadow-raised',
                  )}
                >
                  {onEdit && (
                    <button
                      type="button"
                      aria-label={`Move ${wineTitle(wine)}`}
                      title="Drag, or press the up and down arrow keys"
                      className="grid min-h-11 w-11 shrink-0 cursor-grab touch-none place-items-center rounded-md text-ink-muted hover:text-ink active:cursor-grabbing"
                      {...handle(id)}
                    >
                      <GripVertical size={20} />
                    </button>
                  )}
                  <OpenWine {...{ wine, now, busy, act, onEdit }} />
                </li>,
              ]
            : [];
        })}
      </ul>
    </Card>
  );
}

interface OpenWineProps extends Omit<WinesProps, 'wines'> {
  wine: StaffWine;
  now: Date;
}

function OpenWine({ wine, now, busy, act, onEdit }: OpenWineProps) {
  const bottle = wine.bottle && bottleText(wine.bottle, now);
  const title = wineTitle(wine);
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <div className="min-w-0 basis-64 grow">
        <WineName wine={wine} onEdit={onEdit} className="font-title text-lg leading-tight" />
        <p className="pl-6 text-ink-muted text-sm">{wineOrigin(wine)}</p>
        {bottle && (
          <p className={classNames('pl-6 text-sm', bottle.warns && 'font-semibold text-warning')}>
            {bottle.text}
          </p>
        )}
      </div>
      <div className="flex gap-2">
        <Button
          variant="secondary"
          size="sm"
          disabled={busy}
          aria-label={`Next bottle of ${title}`}
          onClick={() =>
            act('We couldn’t open the bottle', () =>
              api.wines.openBottle({ id: wine.id, instead_of: wine.bottle?.id ?? null }),
            )
          }
        >
          Next Bottle
        </Button>
        <Button
          variant="quiet"
          size="sm"
          disabled={busy}
          aria-label={`Finish ${title}`}
          onClick={() =>
            act('We couldn’t finish the bottle', () => api.wines.putAway({ id: wine.id, state: 'gone' }))
          }
        >
          Finish
        </Button>
      </div>
    </div>
  );
}
