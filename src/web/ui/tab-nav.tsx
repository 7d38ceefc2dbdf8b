import { createLink } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';

/** Links to the parts of one page, or to pages that belong together. `tight`: a phone has no space between so many. */
export function TabNav({ label, tight, children }: { label: string; tight?: boolean; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  // The current tab is never scrolled out of view.
  useLayoutEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (!nav.current || !current) return;
    nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
  });
  return (
    <nav
      ref={nav}
      aria-label={label}
      className={classNames(
        'more-beside print-hidden relative flex w-full gap-1 overflow-x-auto overflow-y-hidden border-line border-b',
        tight && 'max-sm:gap-0 max-sm:[&>a]:px-2 max-sm:[&>a]:text-sm',
      )}
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
