import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { api } from '../../api/client.ts';
import { wineOrigin } from '../../format/wine-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useTablet } from '../tablet/use-tablet.ts';
import { OpenWines, type WinesProps } from './open-wines.tsx';
import { type Act, useWineList } from './use-wine-list.ts';
import { WineDialog } from './wine-dialog.tsx';
import { WineName } from './wine-name.tsx';

/** Loaded separately with the file parser, which most visits do not need. */
const WineFileDialog = lazy(() => import('./wine-file-dialog.tsx'));

export default function WinesPage() {
  const { query, busy, act, show } = useWineList();
  const [editing, setEditing] = useState<StaffWine | 'new' | null>(null);
  const [filing, setFiling] = useState(false);
  const { data: wines } = query;
  // On a tablet, bottles are opened and finished; details are changed in the office.
  const isTablet = useTablet() !== null;
  const add = (
    <span className="flex flex-wrap gap-2">
      <Button size="sm" variant="secondary" onClick={() => setFiling(true)}>
        Import or Export
      </Button>
      <Button size="sm" onClick={() => setEditing('new')}>
        Add Wine
      </Button>
    </span>
  );
  return (
    <PageShell
      width="wide"
      title="Wines"
      lead="Open bottles and how much is left in each. Staff can say which wine they poured, and members see the list."
      actions={!isTablet && wines && wines.length > 0 ? add : undefined}
    >
      <Loaded query={query} failed="We couldn’t load the wines" card lines={8}>
        {(data) => (
          <Lists
            wines={data}
            busy={busy}
            act={act}
            onEdit={isTablet ? null : setEditing}
            add={isTablet ? undefined : add}
          />
        )}
      </Loaded>
      {filing && wines && (
        <Suspense fallback={null}>
          <WineFileDialog wines={wines} onAdded={show} onClose={() => setFiling(false)} />
        </Suspense>
      )}
      {editing && (
        <WineDialog
          wine={editing === 'new' ? null : editing}
          onSaved={show}
          onClose={() => setEditing(null)}
        />
      )}
    </PageShell>
  );
}

function Lists({ wines, busy, act, onEdit, add }: WinesProps & { add: ReactNode }) {
  if (wines.length === 0) {
    return (
      <Card>
        <EmptyState
          picture={<EmptyGlassPicture />}
          title="No wines yet"
          text={
            onEdit
              ? 'Add the wines that you pour. Open one, and staff can choose it when they pour.'
              : 'Once someone adds wines, you can open and finish bottles here.'
          }
          action={add}
        />
      </Card>
    );
  }
  const of = (state: StaffWine['state']) => wines.filter((wine) => wine.state === state);
  const open = of('open');
  const shared = { busy, act, onEdit };
  return (
    <>
      {open.length > 0 ? (
        <OpenWines wines={open} {...shared} />
      ) : (
        <Card title="Open Tonight">
          <p className="text-ink-muted">Nothing is open. Open a bottle below.</p>
        </Card>
      )}
      <Shelf title="Coming" about="Members see what comes next" wines={of('coming')} {...shared} />
      <Shelf title="Gone" folded wines={of('gone')} {...shared} />
    </>
  );
}

interface ShelfProps extends WinesProps {
  title: string;
  /** An explanation of the list for first-time readers. */
  about?: string;
  folded?: boolean;
}

function Shelf({ title, about, folded, wines, busy, act, onEdit }: ShelfProps) {
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
