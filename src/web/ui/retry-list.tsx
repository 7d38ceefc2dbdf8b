import { RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { logFailure } from '../api/log-failure.ts';
import { Button } from './button.tsx';

interface QuietRetryProps {
  what: string;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

/** Lists whose failure is logged and not told (spec section 8): no message, but a way to ask again. */
export function RetryList({ what, error, busy, onRetry }: QuietRetryProps) {
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
