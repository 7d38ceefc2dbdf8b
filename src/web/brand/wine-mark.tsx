import { WINE_COLOR_LABELS, type WineColor } from '../../domain/wine/wine.ts';
import { classNames } from '../ui/class-names.ts';

const FILLS: Record<WineColor, string> = {
  red: 'bg-wine',
  white: 'bg-select',
  rose: 'bg-chart-5',
  orange: 'bg-chart-2',
  sparkling: 'bg-brass',
  fortified: 'bg-chart-6',
};

export function WineMark({ color, className }: { color: WineColor; className?: string }) {
  return (
    <span
      role="img"
      aria-label={WINE_COLOR_LABELS[color]}
      className={classNames(
        'inline-block size-3.5 shrink-0 rounded-full border border-line-strong',
        FILLS[color],
        className,
      )}
    />
  );
}
