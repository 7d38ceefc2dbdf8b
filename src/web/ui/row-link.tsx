import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ComponentProps, ReactNode } from 'react';
import { Card } from './card.tsx';

/** A list of <RowLink>s that lead to other pages. */
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
  detail: ReactNode;
}

function RowAnchor({ icon: Sign, title, detail, ...rest }: RowProps) {
  return (
    <li>
      <a {...rest} className="flex min-h-18 items-center gap-4 px-5 py-3 hover:bg-surface-sunken sm:px-7">
        <Sign size={22} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-brass-text" />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">{title}</span>
          <span className="block min-h-6 text-ink-muted text-sm">{detail}</span>
        </span>
        <ChevronRight size={20} aria-hidden="true" className="shrink-0 text-ink-muted" />
      </a>
    </li>
  );
}

/** A row of a <RowList>. Takes `to`, `params` and `search` like <Link>. */
export const RowLink = createLink(RowAnchor);
