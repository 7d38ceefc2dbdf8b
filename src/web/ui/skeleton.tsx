import { classNames } from './class-names.ts';

/** A block of the size of the loading content. Hidden from screen readers: say 'Loading' once nearby. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={classNames('animate-breathe rounded-md bg-surface-sunken', className)}
    />
  );
}

interface SkeletonLinesProps {
  label?: string;
  lines?: number;
  className?: string;
}

export function SkeletonLines({ label = 'Loading', lines = 3, className }: SkeletonLinesProps) {
  const widths = ['w-full', 'w-11/12', 'w-2/3', 'w-5/6'];
  return (
    <div role="status" className={classNames('flex flex-col gap-3', className)}>
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
        <Skeleton key={line} className={classNames('h-4', widths[line % widths.length])} />
      ))}
    </div>
  );
}
