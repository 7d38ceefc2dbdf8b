import type { StaffWine } from '../../../contract/wine/wines.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { WineMark } from '../../brand/wine-mark.tsx';
import { classNames } from '../../ui/class-names.ts';

interface WineNameProps {
  wine: StaffWine;
  /** Null if wines cannot be changed. */
  onEdit: ((wine: StaffWine) => void) | null;
  className: string;
}

export function WineName({ wine, onEdit, className }: WineNameProps) {
  const name = (
    <>
      <WineMark color={wine.color} />
      <span className="min-w-0 text-balance wrap-anywhere">{wineTitle(wine)}</span>
    </>
  );
  const style = classNames('-my-2 flex min-w-11 items-center gap-2.5 py-2.75 text-left', className);
  if (!onEdit) return <p className={style}>{name}</p>;
  return (
    <button type="button" onClick={() => onEdit(wine)} className={classNames(style, 'hover:underline')}>
      {name}
    </button>
  );
}
