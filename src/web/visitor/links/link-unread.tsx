import { Button } from '../../ui/button.tsx';

/** For pages opened by a link: the server was unreachable or got too many requests. The link may still be valid. */
export function LinkUnread({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col gap-5">
      <p>We couldn’t check your link just now. Wait a minute, then try again.</p>
      <Button size="lg" block onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
