import RotateCw from 'lucide-react/icons/rotate-cw';
import { Button } from './button.tsx';
import { useLogged } from './use-logged.ts';

interface RetryListProps {
  action: string;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

/** Replaces a list that could not be loaded: logs the failure and offers a retry, without a message. */
export function RetryList({ action, error, busy, onRetry }: RetryListProps) {
  useLogged(action, error);
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
