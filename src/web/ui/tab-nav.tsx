import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** Links to the parts of one page, or to pages that belong together. Its children are <TabLink>s. */
export function TabNav({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      aria-label={label}
      className="print-hidden flex w-full gap-1 overflow-x-auto overflow-y-hidden border-line border-b"
    >
      {children}
    </nav>
  );
}

function TabAnchor(props: ComponentProps<'a'>) {
  return (
    <a
      {...props}
      className="target -mb-px inline-flex shrink-0 items-center whitespace-nowrap border-transparent border-b-2 px-4 max-[22rem]:px-2.5 font-semibold text-ink-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
    />
  );
}

/** A tab of a <TabNav>. Takes `to` and `search` like <Link>. */
export const TabLink = createLink(TabAnchor);
