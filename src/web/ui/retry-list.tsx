import { RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { logFailure } from '../api/log-failure.ts';
import { Button } from './button.tsx';

interface RetryListProps {
  what: string;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

/** For lists that fail silently (docs/rules.md, "Silent failures"): no message, but a button to try again. */
export function RetryList({ what, error, busy, onRetry }: RetryListProps) {
  useEffect(() => logFailure(what, error), [what, error]);
  return (
    <div className="grid min-h-40 place-items-center p-5">
      <Button
        variant="secondary"
        size="lg"
        icon={<RotateCw size={20} aria-hidden="true" />}
        busy={busy}
        onClick={onRetry}
      >
        Try Again
      </Button>
    </div>
  );
}
