import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface DescriptionListProps {
  items: readonly { term: string; detail: ReactNode }[];
  /** rows: term left, detail right. stacked: term above detail. */
  layout?: 'rows' | 'stacked';
  dense?: boolean;
  className?: string;
}

export function DescriptionList({ items, layout = 'rows', dense, className }: DescriptionListProps) {
  const rows = layout === 'rows';
  return (
    <dl className={classNames(rows ? 'divide-y divide-line' : 'grid gap-5 sm:grid-cols-2', className)}>
      {items.map(({ term, detail }) => (
        <div
          key={term}
          className={
            rows
              ? classNames(
                  'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 first:pt-0 last:pb-0',
                  dense ? 'py-1.5' : 'py-3',
                )
              : // Values of one row are level, however many lines their terms take.
                'sm:row-span-2 sm:grid sm:grid-rows-subgrid sm:gap-y-0'
          }
        >
          <dt className="text-ink-muted text-sm">{term}</dt>
          <dd className={classNames('min-w-0 wrap-anywhere', rows && 'ml-auto text-right font-medium')}>
            {detail}
          </dd>
        </div>
      ))}
    </dl>
  );
}
