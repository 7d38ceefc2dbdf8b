import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { PouredWine } from '../../../contract/wine/wines.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { orpc } from '../../api/client.ts';
import { WineMark } from '../../brand/wine-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';

/** The rest of the list is one tap away, so that the note and the button stay on the screen. */
const AT_FIRST = 4;

interface WineTilesProps {
  /** The id of the chosen one; '' for none. */
  value: string;
  disabled: boolean;
  onChange: (wineId: string) => void;
}

/**
 * Which wine it is, if staff want to say: the open ones, most poured first. Nothing where nothing is open, or while
 * nobody knows; the pour is recorded all the same.
 */
export function WineTiles({ value, disabled, onChange }: WineTilesProps) {
  const { data: wines = [] } = useQuery(orpc.wines.listOpen.queryOptions());
  const [all, setAll] = useState(false);
  if (wines.length === 0) return null;
  // The chosen one stays in sight, also when it is far down the list.
  const shown = all ? wines : wines.filter(({ id }, at) => at < AT_FIRST || id === value);
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 font-semibold text-sm">
        Wine <span className="font-normal text-ink-muted">(optional)</span>
      </legend>
      <div className="grid grid-cols-2 gap-2 lg:grid-cols-4">
        {shown.map((wine) => (
          <Tile
            key={wine.id}
            wine={wine}
            chosen={wine.id === value}
            onPress={() => onChange(wine.id === value ? '' : wine.id)}
          />
        ))}
      </div>
      {shown.length < wines.length && (
        <Button
          variant="quiet"
          size="sm"
          className="-mb-1 -ml-3 mt-1"
          icon={<ChevronDown size={18} aria-hidden="true" />}
          onClick={() => setAll(true)}
        >
          {wines.length - shown.length} more open
        </Button>
      )}
    </fieldset>
  );
}

function Tile({ wine, chosen, onPress }: { wine: PouredWine; chosen: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onPress}
      className={classNames(
        'flex min-h-16 items-center gap-2.5 rounded-md border px-3 py-2 text-left disabled:opacity-60',
        chosen
          ? 'border-accent bg-accent-soft font-semibold text-accent-text'
          : 'border-line-strong bg-surface-raised hover:border-ink',
      )}
    >
      <WineMark color={wine.color} />
      <span className="line-clamp-2 min-w-0 break-words text-sm leading-tight">{wineTitle(wine)}</span>
    </button>
  );
}
