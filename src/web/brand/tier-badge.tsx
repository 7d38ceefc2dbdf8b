import { useTierLabel } from '../api/use-tier-names.ts';
import { classNames } from '../ui/class-names.ts';
import { tierStyle } from './tier-style.ts';

interface TierBadgeProps {
  tier: string;
  className?: string;
}

export function TierBadge({ tier, className }: TierBadgeProps) {
  const style = tierStyle(tier);
  const tierLabel = useTierLabel();
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border px-3 py-0.5 font-semibold text-xs tracking-wide',
        style.paper,
        style.line,
        className,
      )}
    >
      {tierLabel(tier)}
    </span>
  );
}
