import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Palate } from '../../../contract/wine/ratings.ts';
import type { ListedWine } from '../../../contract/wine/wines.ts';
import { WINE_COLOR_LABELS, WINE_COLORS } from '../../../domain/wine/wine.ts';
import { orpc } from '../../api/client.ts';
import { WineMark } from '../../brand/wine-mark.tsx';
import { WinePicture } from '../../brand/wine-picture.tsx';
import { reasonForMember } from '../../format/taste-text.ts';
import { wineCharacter, wineOrigin } from '../../format/wine-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useLogged } from '../../ui/use-logged.ts';
import { WineTabs } from './wine-tabs.tsx';

/** Bottles are opened and finished throughout the evening. */
const REFRESH_MS = 60_000;

export default function TonightPage() {
  const query = useQuery({
    ...orpc.wines.listTonight.queryOptions(),
    refetchInterval: REFRESH_MS,
  });
  useLogged('Loading the wines', query.error);
  return (
    <PageShell title="Tonight’s Wines" lead="What is open at the bar right now." back={<WineTabs />}>
      <Loaded query={query} card lines={8} failed="We couldn’t load the wines">
        {(wines) => <Wines wines={wines} />}
      </Loaded>
    </PageShell>
  );
}

function Wines({ wines }: { wines: ListedWine[] }) {
  const [isPersonal, setIsPersonal] = useState(true);
  const { data: palate } = useQuery(orpc.ratings.getPalate.queryOptions());
  const reasons = new Map(palate?.matches.map(({ wine_id, reason }) => [wine_id, reason]));
  const knows = [...reasons.values()].some((reason) => reason !== null);
  const forYou = isPersonal && knows;
  const ranked = [...reasons.keys()].flatMap((id) => wines.find((wine) => wine.id === id) ?? []);
  const open = wines.filter(({ state }) => state === 'open');
  const coming = wines.filter(({ state }) => state === 'coming');
  return (
    <>
      {open.length === 0 && (
        <Card>
          <EmptyState
            picture={<EmptyGlassPicture />}
            title="Nothing is open right now"
            text="The list fills when the bar opens."
          />
        </Card>
      )}
      {knows && open.length > 1 && (
        <Button variant="quiet" className="-my-2 -ml-5 self-start" onClick={() => setIsPersonal(!isPersonal)}>
          {forYou ? 'Show the bar’s order' : 'Show my order'}
        </Button>
      )}
      {forYou ? (
        <Chapter title="Sorted for You" wines={withUnranked(ranked, open)} reasons={reasons} />
      ) : (
        WINE_COLORS.map((color) => (
          <Chapter
            key={color}
            title={WINE_COLOR_LABELS[color]}
            wines={open.filter((wine) => wine.color === color)}
          />
        ))
      )}
      <Chapter title="Coming Soon" wines={coming} />
    </>
  );
}

/** A bottle opened after the ranking comes last, until the next load. */
const withUnranked = (ranked: ListedWine[], open: ListedWine[]) => [
  ...ranked.filter((wine) => open.includes(wine)),
  ...open.filter((wine) => !ranked.includes(wine)),
];

interface ChapterProps {
  title: string;
  wines: ListedWine[];
  reasons?: Map<string, Palate['matches'][number]['reason']>;
}

function Chapter({ title, wines, reasons }: ChapterProps) {
  if (wines.length === 0) return null;
  return (
    <section>
      <h2 className="eyebrow mb-2 text-brass-text">{title}</h2>
      <ul className="divide-y divide-line border-line border-y">
        {wines.map((wine) => (
          <ListedWineRow key={wine.id} wine={wine} reason={reasons?.get(wine.id) ?? null} />
        ))}
      </ul>
    </section>
  );
}

function ListedWineRow({ wine, reason }: { wine: ListedWine; reason: Palate['matches'][number]['reason'] }) {
  return (
    <li className="py-4">
      <div className="flex items-baseline gap-3">
        <WineMark color={wine.color} className="translate-y-0.5" />
        <h3 className="min-w-0 flex-1 wrap-anywhere text-lg leading-snug">{wine.name}</h3>
        {wine.vintage !== null && (
          <span className="font-title text-ink-muted tabular-nums">{wine.vintage}</span>
        )}
      </div>
      <div className="flex items-start gap-4 pl-6.5 text-sm">
        <div className="min-w-0 flex-1">
          <p className="text-ink-muted">{wineOrigin(wine)}</p>
          <p>{wineCharacter(wine)}</p>
          {wine.notes && <p className="mt-1 whitespace-pre-line italic">{wine.notes}</p>}
          {reason && <p className="mt-1 font-semibold text-accent-text">{reasonForMember(reason)}</p>}
        </div>
        <WinePicture wine={wine} className="mt-1 h-24 w-18" />
      </div>
    </li>
  );
}
