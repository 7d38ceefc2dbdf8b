import { useQuery } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import type { PouredWine } from '../../../contract/wine/wines.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { orpc } from '../../api/client.ts';
import { WineMark } from '../../brand/wine-mark.tsx';
import { reasonForStaff, verdictText } from '../../format/taste-text.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';

/** The rest of the list is one tap away, so that the note and the button stay on the screen. */
const AT_FIRST = 4;

interface WineTilesProps {
  /** Without a member, nothing is suggested. */
  customerId: string | undefined;
  /** The id of the chosen wine; '' for none. */
  value: string;
  disabled: boolean;
  onChange: (wineId: string) => void;
}

/**
 * An optional choice among the open wines: the one suggested for the member, then the most poured. Renders nothing without
 * open wines or before they load.
 */
export function WineTiles({ customerId, value, disabled, onChange }: WineTilesProps) {
  const { data: wines = [] } = useQuery(orpc.wines.listOpen.queryOptions());
  const { data: palate, isLoading } = useQuery(
    orpc.ratings.getForMember.queryOptions({
      input: { customer_id: customerId ?? '' },
      enabled: customerId !== undefined,
    }),
  );
  const [all, setAll] = useState(false);
  // The suggestion comes first: it would push the other wines from under the thumb.
  if (wines.length === 0 || isLoading) return null;
  const [last] = palate?.ratings ?? [];
  const suggested = palate?.suggestions[0];
  const others: PouredWine[] = wines.filter(({ id }) => id !== suggested?.wine.id);
  const ordered = suggested ? [suggested.wine, ...others] : others;
  // The chosen wine stays visible, even if it is far down the list.
  const tiles = all ? ordered : ordered.filter(({ id }, at) => at < AT_FIRST || id === value);
  return (
    <fieldset disabled={disabled} className="relative">
      <legend className="mb-1.5 font-semibold text-sm">
        Wine <span className="font-normal text-ink-muted">(optional)</span>
      </legend>
      {last && (
        <p className="mb-2 wrap-anywhere text-ink-muted text-sm pinned:truncate">
          {verdictText(last.verdict, wineTitle(last.wine), last.comment)}
        </p>
      )}
      <div className="grid grid-cols-2 gap-2 max-[359px]:grid-cols-1">
        {tiles.map((wine) => (
          <Tile
            key={wine.id}
            wine={wine}
            reason={wine.id === suggested?.wine.id ? reasonForStaff(suggested.reason) : undefined}
            chosen={wine.id === value}
            onPress={() => onChange(wine.id === value ? '' : wine.id)}
          />
        ))}
      </div>
      {tiles.length < ordered.length && (
        <Button
          variant="quiet"
          size="sm"
          className="-mb-1 -ml-3 mt-1 pinned:absolute pinned:-top-9.5 pinned:-right-3 pinned:m-0!"
          icon={<ChevronDown size={18} />}
          onClick={() => setAll(true)}
        >
          {ordered.length - tiles.length} more open
        </Button>
      )}
    </fieldset>
  );
}

interface TileProps {
  wine: PouredWine;
  reason: string | undefined;
  chosen: boolean;
  onPress: () => void;
}

function Tile({ wine, reason, chosen, onPress }: TileProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onPress}
      className={classNames(
        'flex min-h-16 items-center gap-2.5 rounded-md border px-3 py-1.5 pinned:gap-2 pinned:px-2.5 text-left disabled:opacity-60 pinned:min-h-12',
        chosen
          ? 'border-accent bg-accent-soft font-semibold text-accent-text'
          : 'border-line-strong bg-surface-raised hover:border-ink',
      )}
    >
      <WineMark color={wine.color} />
      <span className="min-w-0 text-balance text-sm leading-tight pinned:text-[0.8125rem]">
        <span className="line-clamp-3 wrap-anywhere">{wineTitle(wine)}</span>
        {reason && (
          <span className="mt-0.5 line-clamp-3 wrap-anywhere font-normal text-accent-text text-xs">
            <span className="pinned:sr-only">Pour this: </span>
            {reason}
          </span>
        )}
      </span>
    </button>
  );
}
