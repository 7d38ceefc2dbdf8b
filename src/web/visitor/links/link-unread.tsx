import { Button } from '../../ui/button.tsx';

/** For the pages that a link in an email opens: the server could not be asked about it. */
export function LinkUnread({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <p>We could not reach the server. Your link still works.</p>
      <Button size="lg" block onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
