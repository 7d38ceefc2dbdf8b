import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface EmptyStateProps {
  picture?: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
  /** `p` if another heading would break the outline of the page. */
  titleAs?: 'h2' | 'h3' | 'p';
  className?: string;
}

export function EmptyState({ picture, title, text, action, titleAs = 'p', className }: EmptyStateProps) {
  const Title = titleAs;
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-2 px-5 py-10 lying:py-4 text-center max-[24rem]:px-2',
        className,
      )}
    >
      {picture && <div className="lying:hidden mb-2">{picture}</div>}
      <Title className="font-title text-xl">{title}</Title>
      {text && <p className="max-w-narrow text-balance text-ink-muted">{text}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
