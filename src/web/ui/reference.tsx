import { referenceOf } from '../api/api-error.ts';
import { classNames } from './class-names.ts';

interface ReferenceProps {
  /** The error that is shown beside it. */
  of: unknown;
  className?: string;
}

/** The small print of an unexpected error, which the user can read out to whoever has the log. */
export function Reference({ of, className }: ReferenceProps) {
  const reference = referenceOf(of);
  if (!reference) return null;
  return (
    <p className={classNames('text-ink-muted text-xs', className)}>
      Reference: <span className="select-all whitespace-nowrap font-code">{reference}</span>
    </p>
  );
}
