import { Button } from '../../ui/button.tsx';

/** For the pages that a link opens: the server could not be asked about it, or had been asked too often. The link may be good. */
export function LinkUnread({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <p>We could not check your link just now. Wait a minute, then try again.</p>
      <Button size="lg" block onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
