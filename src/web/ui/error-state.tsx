import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { TippedGlassPicture } from './illustrations.tsx';
import { adviceOn, Reference } from './reference.tsx';

interface ErrorStateProps {
  title: string;
  /** Replaces the advice on what to do about the error. */
  text?: string;
  of: unknown;
  onRetry?: () => void;
  retrying?: boolean;
}

export function ErrorState({ title, text, of, onRetry, retrying }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        picture={<TippedGlassPicture />}
        title={title}
        text={text ?? adviceOn(of)}
        action={
          <>
            {onRetry && (
              <Button busy={retrying} onClick={onRetry}>
                Try Again
              </Button>
            )}
            <Reference of={of} className="mt-4" />
          </>
        }
      />
    </div>
  );
}
