import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

interface NoticeProps {
  tone?: keyof typeof TONE_STYLES;
  title?: ReactNode;
  action?: ReactNode;
  /** `alert` for a recent failure, such as a refused form: screen readers announce it at once. */
  role?: 'alert' | 'status';
  className?: string;
  children?: ReactNode;
}

const TONE_STYLES = {
  info: { shape: 'info', panel: 'bg-neutral-soft', icon: 'text-ink-muted' },
  positive: { shape: 'done', panel: 'bg-positive-soft', icon: 'text-positive' },
  warning: { shape: 'caution', panel: 'bg-warning-soft', icon: 'text-warning' },
  danger: { shape: 'alert', panel: 'bg-danger-soft', icon: 'text-danger' },
} as const;

export function Notice({ tone = 'info', title, action, role, className, children }: NoticeProps) {
  const { shape, panel, icon } = TONE_STYLES[tone];
  return (
    <div role={role} className={classNames('flex items-start gap-3 rounded-md px-4 py-3', panel, className)}>
      <Icon shape={shape} className={classNames('mt-0.5 shrink-0', icon)} />
      <div className="min-w-0 flex-1 text-sm">
        {title && <p className="font-semibold text-base">{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  );
}
