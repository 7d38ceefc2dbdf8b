import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ComponentProps, ReactNode } from 'react';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';

export function RowList({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Card padding="plain" className={className}>
      <nav aria-label={label}>
        <ul className="divide-y divide-line">{children}</ul>
      </nav>
    </Card>
  );
}

interface RowProps extends Omit<ComponentProps<'a'>, 'title'> {
  icon: LucideIcon;
  title: string;
  /** One line about its state; its space is reserved until loaded. */
  detail?: ReactNode;
  /** A few words about its state, at the end of a row without `detail`. */
  aside?: ReactNode;
}

function RowAnchor({ icon: Sign, title, detail, aside, ...rest }: RowProps) {
  return (
    <li>
      <a
        {...rest}
        className={classNames(
          'flex items-center gap-4 px-5 hover:bg-surface-sunken sm:px-7',
          detail === undefined ? 'min-h-12 py-2' : 'min-h-18 py-3',
        )}
      >
        <Sign size={22} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-brass-text" />
        {/* Narrow beside an `aside`, but never narrower than a word. */}
        <span className="wrap-break-word flex-1">
          <span className="block font-semibold">{title}</span>
          {detail !== undefined && <span className="block min-h-6 text-ink-muted text-sm">{detail}</span>}
        </span>
        {aside && <span className="text-right text-ink-muted text-sm"> {aside}</span>}
        <ChevronRight size={20} aria-hidden="true" className="shrink-0 text-ink-muted" />
      </a>
    </li>
  );
}

/** A row of a <RowList>. Takes `to`, `params` and `search` like <Link>. */
export const RowLink = createLink(RowAnchor);
