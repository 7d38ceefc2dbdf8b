import { referenceOf } from '../api/api-error.ts';
import { classNames } from './class-names.ts';

interface ReferenceProps {
  /** The error shown beside it. */
  of: unknown;
  className?: string;
}

/** The small print of an unexpected error, for the user to read out to the person with access to the log. */
export function Reference({ of, className }: ReferenceProps) {
  const reference = referenceOf(of);
  if (!reference) return null;
  return (
    <p className={classNames('text-ink-muted text-xs', className)}>
      Reference: <span className="select-all whitespace-nowrap font-code">{reference}</span>
    </p>
  );
}
