import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { TippedGlassPicture } from './illustrations.tsx';

interface ErrorStateProps {
  title: string;
  text?: string;
  onRetry?: () => void;
  retrying?: boolean;
  retryLabel?: string;
  className?: string;
}

/** For a part of a page that could not be loaded. */
export function ErrorState({
  title,
  text = 'Please check your connection and try again.',
  onRetry,
  retrying,
  retryLabel = 'Try Again',
  className,
}: ErrorStateProps) {
  return (
    <div role="alert" className={className}>
      <EmptyState
        picture={<TippedGlassPicture />}
        title={title}
        text={text}
        action={
          onRetry && (
            <Button variant="secondary" busy={retrying} onClick={onRetry}>
              {retryLabel}
            </Button>
          )
        }
      />
    </div>
  );
}
