import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useTablet } from '../tablet/use-tablet.ts';
import { OpenWines } from './open-wines.tsx';
import { Shelf } from './shelf.tsx';
import { useWineList } from './use-wine-list.ts';
import { WineDialog } from './wine-dialog.tsx';

/** Loaded separately with the file parser, which most visits do not need. */
const WineFileDialog = lazy(() => import('./wine-file-dialog.tsx'));

export function WinesPage() {
  const { query, busy, act, show } = useWineList();
  const [editing, setEditing] = useState<StaffWine | 'new' | null>(null);
  const [filing, setFiling] = useState(false);
  const { data: listed } = query;
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
      actions={!isTablet && listed && listed.length > 0 ? add : undefined}
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
      {filing && listed && (
        <Suspense fallback={null}>
          <WineFileDialog wines={listed} onAdded={show} onClose={() => setFiling(false)} />
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

interface ListsProps extends Pick<ReturnType<typeof useWineList>, 'busy' | 'act'> {
  wines: StaffWine[];
  /** Null if wines cannot be changed. */
  onEdit: ((wine: StaffWine) => void) | null;
  add: ReactNode;
}

function Lists({ wines, busy, act, onEdit, add }: ListsProps) {
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
