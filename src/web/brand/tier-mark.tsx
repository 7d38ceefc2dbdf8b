import { classNames } from '../ui/class-names.ts';
import { tierStyle } from './tier-style.ts';

export function TierMark({ tier, label, className }: { tier: string; label: string; className?: string }) {
  const style = tierStyle(tier);
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border px-3 py-0.5 font-semibold text-xs tracking-wide',
        style.paper,
        style.line,
        className,
      )}
    >
      {label}
    </span>
  );
}
