import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export type NoticeTone = 'info' | 'positive' | 'warning' | 'danger';

interface NoticeProps {
  tone?: NoticeTone;
  title?: ReactNode;
  action?: ReactNode;
  /** `alert` for what has just gone wrong, such as a refused form: read out at once. */
  role?: 'alert' | 'status';
  className?: string;
  children?: ReactNode;
}

const looks = {
  info: { shape: 'info', box: 'bg-surface-sunken', mark: 'text-ink-muted' },
  positive: { shape: 'done', box: 'bg-positive-soft', mark: 'text-positive' },
  warning: { shape: 'caution', box: 'bg-warning-soft', mark: 'text-warning' },
  danger: { shape: 'alert', box: 'bg-danger-soft', mark: 'text-danger' },
} as const;

export function Notice({ tone = 'info', title, action, role, className, children }: NoticeProps) {
  const { shape, box, mark } = looks[tone];
  return (
    <div role={role} className={classNames('flex items-start gap-3 rounded-md px-4 py-3', box, className)}>
      <Icon shape={shape} className={classNames('mt-0.5 shrink-0', mark)} />
      <div className="min-w-0 flex-1 text-sm">
        {title && <p className="font-semibold text-base">{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  );
}
