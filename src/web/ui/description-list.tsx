import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface Fact {
  term: string;
  detail: ReactNode;
}

interface FactsProps {
  facts: readonly Fact[];
  /** rows: term left, detail right, hairlines between; stacked: term over detail. */
  layout?: 'rows' | 'stacked';
  className?: string;
}

export function DescriptionList({ facts, layout = 'rows', className }: FactsProps) {
  const rows = layout === 'rows';
  return (
    <dl className={classNames(rows ? 'divide-y divide-line' : 'grid gap-5 sm:grid-cols-2', className)}>
      {facts.map(({ term, detail }) => (
        <div
          key={term}
          className={
            rows
              ? 'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-3 first:pt-0 last:pb-0'
              : ''
          }
        >
          <dt className="text-ink-muted text-sm">{term}</dt>
          <dd className={classNames('min-w-0 break-words', rows && 'text-right font-medium')}>{detail}</dd>
        </div>
      ))}
    </dl>
  );
}
