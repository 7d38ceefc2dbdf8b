import type { StaffWine } from '../../../contract/wine/wines.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { api } from '../../api/client.ts';
import { wineOrigin } from '../../format/wine-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { Act } from './use-wine-list.ts';
import { WineName } from './wine-name.tsx';

interface ShelfProps {
  title: string;
  /** An explanation of the list for first-time readers. */
  about?: string;
  /** Collapsed until opened. */
  folded?: boolean;
  wines: StaffWine[];
  busy: boolean;
  act: Act;
  /** Null if wines cannot be changed. */
  onEdit: ((wine: StaffWine) => void) | null;
}

/** Wines that are not open: upcoming ones, or ones that are gone. */
export function Shelf({ title, about, folded, wines, busy, act, onEdit }: ShelfProps) {
  if (wines.length === 0) return null;
  const list = (
    <ul className="divide-y divide-line">
      {wines.map((wine) => (
        <li
          key={wine.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3 sm:px-6"
        >
          <div className="min-w-0 grow basis-64">
            <WineName wine={wine} onEdit={onEdit} className="font-title text-lg leading-tight" />
            <p className="pl-7 text-ink-muted text-sm">{wineOrigin(wine)}</p>
          </div>
          <div className="flex gap-2">
            <Button
              variant="secondary"
              size="sm"
              disabled={busy}
              aria-label={`Open a bottle of ${wineTitle(wine)}`}
              onClick={() =>
                act('We couldn’t open the bottle', () =>
                  api.wines.openBottle({ id: wine.id, instead_of: null }),
                )
              }
            >
              Open
            </Button>
            <Other wine={wine} busy={busy} act={act} />
          </div>
        </li>
      ))}
    </ul>
  );
  if (folded) {
    return (
      <Card padding="plain">
        <details>
          <summary className="cursor-pointer px-4 py-4 font-title text-xl sm:px-6">
            {title} <span className="text-ink-muted">({wines.length})</span>
          </summary>
          {list}
        </details>
      </Card>
    );
  }
  return (
    <Card title={title} padding="plain" aside={<span className="text-ink-muted text-sm">{about}</span>}>
      {list}
    </Card>
  );
}

/** Upcoming wines can turn out to be gone, and gone ones can return. */
function Other({ wine, busy, act }: { wine: StaffWine; busy: boolean; act: Act }) {
  const state = wine.state === 'coming' ? 'gone' : 'coming';
  const label = state === 'gone' ? 'Gone' : 'Coming';
  return (
    <Button
      variant="quiet"
      size="sm"
      disabled={busy}
      aria-label={`${wineTitle(wine)} is ${state}`}
      onClick={() => act('Nothing was changed', () => api.wines.putAway({ id: wine.id, state }))}
    >
      {label}
    </Button>
  );
}
