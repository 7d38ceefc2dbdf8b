import { classNames } from './class-names.ts';
import { Ring } from './ring.tsx';

interface SpinnerProps {
  /** For screen readers; also shown below the ring with `showLabel`. */
  label?: string;
  showLabel?: boolean;
  size?: 'sm' | 'md' | 'lg';
  /** Appears after a third of a second, so that fast responses do not flicker. */
  delayed?: boolean;
  className?: string;
}

const SIZES = { sm: 'size-5', md: 'size-8', lg: 'size-12' };

export function Spinner({
  label = 'Loading',
  showLabel = false,
  size = 'md',
  delayed = true,
  className,
}: SpinnerProps) {
  return (
    <div
      role="status"
      className={classNames(
        'flex-col items-center gap-3 text-wine',
        showLabel ? 'flex' : 'inline-flex',
        delayed && 'animate-delayed',
        className,
      )}
    >
      <Ring className={SIZES[size]} />
      <span className={showLabel ? 'text-sm text-ink-muted' : 'sr-only'}>{label}</span>
    </div>
  );
}

/** A spinner in the space of a page, so that nothing jumps when the page appears. */
export function PageSpinner() {
  return (
    <div className="grid min-h-[60dvh] place-items-center p-8">
      <Spinner showLabel size="lg" />
    </div>
  );
}
