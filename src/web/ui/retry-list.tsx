import { RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { logFailure } from '../api/log-failure.ts';
import { Button } from './button.tsx';

interface RetryListProps {
  /** What failed, for the log: 'Loading members'. */
  action: string;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

/** For a list that could not be loaded: the failure is logged and no message shown, only a way to try again. */
export function RetryList({ action, error, busy, onRetry }: RetryListProps) {
  useEffect(() => logFailure(action, error), [action, error]);
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
