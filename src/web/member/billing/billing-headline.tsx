import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import type { BillingLine } from './billing-line.ts';

interface BillingHeadlineProps {
  line: BillingLine | null;
  /** A button about the day that the line names. */
  children?: ReactNode;
}

export function BillingHeadline({ line, children }: BillingHeadlineProps) {
  if (!line) return null;
  return (
    <div className="mb-2 flex min-h-11 flex-wrap items-center gap-x-4 sm:gap-x-6">
      <p
        className={classNames(
          'font-title text-[1.375rem] tabular-nums leading-tight max-[24rem]:text-xl sm:text-2xl',
          line.isOverdue && 'text-warning',
        )}
      >
        {line.label && <span className="sr-only">{line.label} </span>}
        {line.text}
      </p>
      {children}
    </div>
  );
}
