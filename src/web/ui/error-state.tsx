import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { TippedGlassPicture } from './illustrations.tsx';
import { Reference } from './reference.tsx';

interface ErrorStateProps {
  title: string;
  text?: string;
  /** An unexpected error shows its reference. */
  of: unknown;
  onRetry?: () => void;
  retrying?: boolean;
  retryLabel?: string;
  className?: string;
}

/** Replaces a part of a page that could not be loaded. */
export function ErrorState({
  title,
  text = 'Please check your connection and try again.',
  of,
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
          <>
            {onRetry && (
              <Button variant="secondary" busy={retrying} onClick={onRetry}>
                {retryLabel}
              </Button>
            )}
            <Reference of={of} className="mt-4" />
          </>
        }
      />
    </div>
  );
}
