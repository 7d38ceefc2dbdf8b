import type { Palate } from '../../../contract/wine/ratings.ts';
import type { ListedWine } from '../../../contract/wine/wines.ts';
import { WineMark } from '../../brand/wine-mark.tsx';
import { WinePicture } from '../../brand/wine-picture.tsx';
import { reasonForMember } from '../../format/taste-text.ts';
import { wineCharacter, wineOrigin } from '../../format/wine-text.ts';

/** One wine of the list: name and vintage on a line, origin, character and a short description. */
export function ListedWineRow({
  wine,
  reason,
}: {
  wine: ListedWine;
  reason: Palate['matches'][number]['reason'];
}) {
  return (
    <li className="py-4">
      <div className="flex items-baseline gap-3">
        <WineMark color={wine.color} className="translate-y-0.5" />
        <h3 className="min-w-0 flex-1 break-words text-lg leading-snug">{wine.name}</h3>
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
